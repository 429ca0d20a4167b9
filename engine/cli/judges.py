"""``auricle judges``: the declared judges, and the endpoint that answers for them."""

from __future__ import annotations

from typing import Annotated

import typer

from engine.cli.console import column, language, print_table, said

app = typer.Typer(help="List the judges, try an endpoint, keep its key in the keyring.", no_args_is_help=True)
BaseUrl = Annotated[str, typer.Option("--base-url", help="An OpenAI-compatible endpoint.")]


@app.command("list")
def list_() -> None:
    """The judges that ship, with what they are asked."""
    from engine.judges.declaration import load_judges

    rows = [(j.id, str(j.version), j.kind, j.title[language()]) for j in load_judges().values()]
    print_table("", [column(name) for name in ("judge", "version", "verdict", "title")], rows)


@app.command()
def show(judge: Annotated[str, typer.Argument(help="The judge's id.")]) -> None:
    """The rubric of one judge, in both languages."""
    from engine.judges.declaration import load_judge

    found = load_judge(judge)
    verdicts = ", ".join(choice.name for choice in found.choices) or f"{found.scale[0]}-{found.scale[-1]}"
    print(f"{found.id} {found.version}: {verdicts}\n")
    for name in ("en", "zh"):
        print(f"[{name}] {found.title[name]}\n\n{found.rubric[name]}\n")


@app.command("test")
def try_endpoint(
    base_url: BaseUrl,
    model: Annotated[str, typer.Option("--model", help="Its model.")],
    key_env: Annotated[str, typer.Option("--key-env", help="Environment variable that holds the key.")] = "",
) -> None:
    """Make one small call and say whether the endpoint answers."""
    from engine.judges.endpoint import Endpoint
    from engine.judges.trial import test_call

    found = test_call(Endpoint(base_url, model, key_env))
    print(said("endpoint_answers", base_url=base_url, model=found.model, seconds=found.seconds))


@app.command("key")
def keep_key(base_url: BaseUrl) -> None:
    """Ask for the key of an endpoint and put it into this machine's keyring; it is never shown again."""
    from engine.endpoints.keys import ApiKey
    from engine.endpoints.keys import keep_key as keep

    keep(base_url, ApiKey(typer.prompt(said("key_prompt"), hide_input=True)))
    print(said("key_kept"))
