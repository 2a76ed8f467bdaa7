"""Runs a script in ranks of which one is killed: `killed.py VICTIM MILLISECONDS SCRIPT ARGUMENTS`.

In the first life of rank VICTIM another process kills it after that time, wherever it is then.
"""

import os
import runpy
import signal
import sys
import time

victim, millis = int(sys.argv[1]), int(sys.argv[2])
del sys.argv[:3]
own = os.getpid()
first = os.environ.get("OXMPI_LIFE", "1") == "1"
if first and int(os.environ["OXMPI_RANK"]) == victim and os.fork() == 0:
    # Neither the launcher nor anybody who reads the output waits for this process.
    os.closerange(0, 1024)
    end = time.monotonic() + millis / 1000
    while time.monotonic() < end and os.getppid() == own:
        time.sleep(0.001)
    if os.getppid() == own:
        os.kill(own, signal.SIGKILL)
    os._exit(0)
sys.path.insert(0, os.path.dirname(sys.argv[0]))
runpy.run_path(sys.argv[0], run_name="__main__")
