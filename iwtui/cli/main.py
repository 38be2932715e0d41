"""The command `iwtui`: a table of commands, each loaded when it is used, and one place where errors become one line."""

import importlib
from collections.abc import Sequence
from typing import Any, NoReturn

import click

from iwtui import __version__
from iwtui.cli.failures import expected
from iwtui.cli.options import global_options

INTERRUPTED = 130

COMMANDS: dict[str, dict[str, tuple[str, str]]] = {
    "Play": {
        "demo": ("iwtui.cli.demo:demo", "Ten scripted episodes on one starter seed; needs no API key."),
        "run": ("iwtui.cli.run:run", "Play cases with one or more builders, and judge them."),
        "resume": ("iwtui.cli.resume:resume", "Go on with a run that was interrupted."),
        "fork": ("iwtui.cli.fork:fork", "Go on from a turn of an episode in another way."),
        "judge": ("iwtui.cli.judge:judge", "Judge the sites of a run or an episode again, by any judge."),
        "pause": ("iwtui.cli.control:pause", "Hold a run, or one episode, before its next model call."),
        "continue": ("iwtui.cli.control:go_on", "Let a run that is paused go on."),
        "cancel": ("iwtui.cli.control:cancel", "End a run that is being played, or one of its episodes."),
        "retry": ("iwtui.cli.resume:retry", "Play the episodes of a run again that ended by a fault of ours."),
    },
    "Look": {
        "watch": ("iwtui.cli.watch:watch", "Follow what is being played, of every store of yours."),
        "show": ("iwtui.cli.show:show", "Tell an episode as a story, step by step."),
        "report": ("iwtui.cli.report:report", "Scores by persona, difficulty, builder and more."),
        "blame": ("iwtui.cli.blame:blame", "Why slots failed, with the events that show it."),
        "forks": ("iwtui.cli.forks:forks", "Forks of an episode, each compared with its parent."),
        "agreement": ("iwtui.cli.agreement:agreement", "How far judges agree with people, or with each other."),
        "weights": ("iwtui.cli.weights:weights", "What scores and ranks would be under other weights."),
        "compare": (
            "iwtui.cli.compare:compare",
            "Two runs, two filters or two episodes: what failed newly, what was fixed.",
        ),
        "sql": ("iwtui.cli.sql:sql", "Ask the index with SQL (read-only)."),
        "serve": ("iwtui.cli.serve:serve", "Serve an episode's site as it was at some turn."),
        "tasks": ("iwtui.cli.tasks:tasks", "Task packs: list, show, prove, import, retell."),
    },
    "Say": {
        "adjudicate": (
            "iwtui.cli.adjudicate:adjudicate",
            "Judge slots yourself, beside the judge; list what there is to judge.",
        ),
        "note": ("iwtui.cli.note:note", "Keep a note on an episode, or on one event of it."),
        "primary": ("iwtui.cli.note:primary", "Choose which judging gives an episode its score."),
    },
    "Keep": {
        "export": ("iwtui.cli.export:export", "Write a run for others: bundle, tables, report, official folders."),
        "import": ("iwtui.cli.importing:import_logs", "Take a bundle, or logs of the official harness, into the store."),
        "rm": ("iwtui.cli.store_commands:rm", "Remove a run from the store."),
        "compact": ("iwtui.cli.store_commands:compact", "Give back the room that nothing in the store needs."),
        "index": ("iwtui.cli.store_commands:index", "Rebuild the index from the logs."),
        "setup": ("iwtui.cli.setup:setup", "Find a browser, or get one."),
        "reset": ("iwtui.cli.console:reset", "Put a terminal right that a crash left unusable."),
        "doctor": ("iwtui.cli.doctor:doctor", "Check this machine and say what lacks."),
    },
}


class CommandTable(click.Group):
    """A group that knows its commands by name and loads each when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [name for section in COMMANDS.values() for name in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        for section in COMMANDS.values():
            if cmd_name in section:
                module, attribute = section[cmd_name][0].split(":")
                command: click.Command = getattr(importlib.import_module(module), attribute)
                _add_globals(command)
                return command
        return None

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        import difflib

        known = self.list_commands(ctx)
        if args and args[0] not in known and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], known, 1)
            hint = f" Did you mean {near[0]!r}?" if near else " `iwtui --help` lists the commands."
            ctx.fail(f"No such command {args[0]!r}.{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(len(name) for name in self.list_commands(ctx))
        for title, section in COMMANDS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), text) for name, (_, text) in section.items()])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("iwtui: interrupted", err=True)
            raise click.exceptions.Exit(INTERRUPTED) from None
        except Exception as error:
            failure = expected(error)
            if failure is None:
                raise
            raise failure from error


def _add_globals(command: click.Command) -> None:
    if all(parameter.name != "no_color" for parameter in command.params):
        command.params.extend(global_options())
    if isinstance(command, click.Group):
        for child in command.commands.values():
            _add_globals(child)


@click.command(
    cls=CommandTable,
    invoke_without_command=True,
    params=global_options(),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="Each command has its own --help. Start with `iwtui demo`.",
)
@click.version_option(__version__, prog_name="iwtui")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Run, record, replay, score and query episodes of InteractWeb-Bench: agents that build a website for a client who
    does not say everything. Without a command, the console opens."""
    if ctx.invoked_subcommand is None:
        from iwtui.cli.console import fits, open_console

        if fits():
            ctx.exit(open_console())
        click.echo(ctx.get_help())


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run a command and leave with its exit code: 0 done, 1 done with faults, 2 wrong use, 3 not found, 130 interrupted."""
    cli.main(args=arguments, prog_name="iwtui")
    raise AssertionError("click leaves by itself")
