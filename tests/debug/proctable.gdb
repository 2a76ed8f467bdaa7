# Prints the table of processes in a launcher: a line for each, host, file and process id.
set pagination off
set confirm off
# The frame may be one of Rust, whose expressions are others.
set language c
set $size = *(int *)&MPIR_proctable_size
set $table = *(char **)&MPIR_proctable
set $at = 0
while $at < $size
  set $row = $table + 24 * $at
  printf "process %s %s %d\n", *(char **)$row, *(char **)($row + 8), *(int *)($row + 16)
  set $at = $at + 1
end
printf "state %d\n", *(int *)&MPIR_debug_state
