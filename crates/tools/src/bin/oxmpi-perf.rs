//! `oxmpi-perf`: measures the transports through the low layer, without MPI.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use tools::perf;

fn main() -> ExitCode {
    let request = match perf::parse(std::env::args()) {
        Ok(request) => request,
        Err(error) => error.exit(),
    };
    match perf::run(&request, &mut std::io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        // The asking side reports what the one that it started says.
        Err(_) if request.role == perf::options::Role::Serve => ExitCode::FAILURE,
        Err(error) => {
            let text = base::system::plain(error.to_string());
            eprintln!("oxmpi-perf: {text}");
            ExitCode::FAILURE
        }
    }
}
