"""Simulate days of visitors, watched by a referee."""

import json
import random
import sys
import time
from argparse import ArgumentParser, Namespace
from functools import partial

from nimatron_host import options


def add(parser: ArgumentParser) -> None:
    parser.description = (
        "Simulate days of visitors of all kinds while a referee watches. Each has a "
        "separate simulated Pico and depends only on the seed and the number of the day, so "
        "--day can repeat it. The exit status is 1 if the referee found a fault."
    )
    which = parser.add_mutually_exclusive_group()
    options.add(which, "--days N", "days of ten hours to simulate", default=1)
    options.add(which, "--day D", "simulate only day D")
    seed = "repeat the visitors of this seed (default: random)"
    options.add(parser, "--seed S", seed, type=int)
    options.add(parser, "--jobs J", "simulate J days at a time", default=1)
    options.add_board(parser, "")
    options.add_json(parser)


def run(args: Namespace) -> None:
    days = range(1, args.days + 1) if args.day is None else [args.day]
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TimeElapsedColumn, TimeRemainingColumn

    from nimatron_sim.simulated.core import ctrl_c
    from nimatron_sim.soak import soak

    seed = random.randrange(1_000_000) if args.seed is None else args.seed
    if not args.json:
        print(f"seed            {seed}", flush=True)
    begun = time.perf_counter()
    bar = Progress(
        "{task.completed:.2f} of {task.total} days",
        BarColumn(),
        TimeElapsedColumn(),
        "gone,",
        TimeRemainingColumn(),
        "left",
        console=Console(stderr=True),
        refresh_per_second=2,
        transient=True,
        disable=not sys.stderr.isatty(),
    )
    with ctrl_c(), bar:
        task = bar.add_task("", total=len(days))
        progress = partial(bar.update, task)
        try:
            report = soak.soak(
                seed,
                list(days),
                args.jobs,
                lambda done: progress(completed=done),
                board=args.board,
            )
        except soak.Failed as fault:
            if args.json:
                print(json.dumps(fault.facts()))
            raise
    if args.json:
        print(json.dumps({"seed": seed} | report.facts()))
        return
    took = time.perf_counter() - begun
    print(report)
    print(f"speed           {report.ms / 1000 / took:.0f} exhibit-seconds per second")
    print(report.summary())
