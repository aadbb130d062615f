# SPDX-License-Identifier: Apache-2.0
"""What the benchmarks in Python have in common."""

import argparse
import subprocess
import sys


class Failure(Exception):
    """A message for the user."""


def run(command, environment=None):
    """The standard output of a command; Failure with its messages if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    except OSError as error:
        raise Failure(f"{command[0]}: {error.strerror}") from error
    if done.returncode != 0:
        message = (done.stderr or done.stdout).strip()
        raise Failure(f"{' '.join(map(str, command))}: status {done.returncode}: {message}")
    return done.stdout


def positive(text):
    """The value of an option that counts something."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"found {text}, expected 1 or more")
    return number


def run_benchmark(main):
    """Calls main. A Failure ends the program with its message, an interrupt with status 130."""
    try:
        main()
    except Failure as failure:
        sys.exit(f"bench: {failure}")
    except KeyboardInterrupt:
        sys.exit(130)
