"""The HTML report: one file, safe against any text in it, opened by a real browser."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from engine.benchmarks.values import OutsideJudgement
from engine.report.page import write_report
from engine.runs.imports import take_judgements, take_responses
from engine.runs.judge import judge_workspace
from engine.runs.judge_plan import JudgeOptions
from engine.store.plans import Scope
from tests.engine.runs.made import response, tone, with_benchmark
from tests.shared import case, needs_shared

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="needs chromium (packages.apt)")
MARKUP = [
    "<b>粗体</b>", "<script>alert(1)</script>后面", '<img src="https://example.invalid/x.png" onerror="x()">',
    "a < b && c > d", "&lt;不解码&gt;", "</td></tr></table>", "<!-- 注释 -->看得见",
    "{{7*7}} {% raw %} %(name)s {0}", "[link](javascript:x)", "第一行\n第二行",
]  # fmt: skip


class Page(HTMLParser):
    """Elements with their attributes, and text as a browser would show it."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self._hidden = 0
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self._hidden += tag in ("style", "title")

    def handle_endtag(self, tag):
        self._hidden -= tag in ("style", "title")

    def handle_data(self, data):
        if not self._hidden:
            self.texts.append(data)


def reported(workspace, finish, tmp_path, texts, language="en", clips=25) -> str:
    with_benchmark(workspace, count=len(texts))
    answers = [response(n, text, audio=tone(tmp_path / f"{n}.wav"), transcript=text) for n, text in enumerate(texts)]
    finish(
        take_responses(
            workspace, "vocalbench_zh", "s<i>", answers, declaration={"note": {"en": "<u>note</u>", "zh": "注"}}
        )
    )
    verdicts = [
        OutsideJudgement(
            "chinese_knowledge", f"chinese_knowledge-{n:04d}", "knowledge", "scored", "incorrect", reason=text
        )
        for n, text in enumerate(texts)
    ]
    take_judgements(workspace.connect(), "vocalbench_zh", verdicts, "s<i>")
    return write_report(workspace, tmp_path / "report.html", language, clips).read_text(encoding="utf-8")


@needs_shared
def test_the_markup_in_this_test_is_that_of_the_public_case():
    assert case("text-as-markup")["input"]["texts"] == MARKUP


def test_text_from_systems_and_judges_is_shown_as_typed_and_makes_no_element(workspace, finish, tmp_path):
    html = reported(workspace, finish, tmp_path, MARKUP)
    page = Page(html)
    shown = "\x00".join(page.texts)
    for text in MARKUP:
        assert shown.count(text) >= 2, text  # the answer, and the judge's reason
    assert "49" not in [text.strip() for text in page.texts]
    tags = {tag for tag, _ in page.elements}
    assert tags <= {
        "html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "h3", "p", "span", "div", "table", "thead", "tbody",
        "tr", "th", "td", "br", "ul", "li", "strong", "bdi", "audio", "details", "summary",
    }  # fmt: skip
    assert not any(name.startswith("on") for _, attributes in page.elements for name in attributes)


def test_the_file_needs_nothing_outside_itself(workspace, finish, tmp_path):
    page = Page(reported(workspace, finish, tmp_path, ["少林", "武当"]))
    sources = [attributes["src"] for tag, attributes in page.elements if "src" in attributes]
    assert len(sources) == 2
    assert all(source.startswith("data:audio/mpeg;base64,") for source in sources)
    assert not [attributes for _, attributes in page.elements if "href" in attributes]
    policy = next(a["content"] for tag, a in page.elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'")


def test_both_languages_have_every_word(workspace, finish, tmp_path):
    reported(workspace, finish, tmp_path, ["少林", "武当"])
    finish(judge_workspace(workspace, Scope(), JudgeOptions()))
    chinese = write_report(workspace, tmp_path / "zh.html", "zh").read_text(encoding="utf-8")
    assert 'lang="zh-CN"' in chinese
    words = re.sub(r"<style>.*?</style>", "", chinese, flags=re.S)
    assert "{" not in re.sub(r"<[^>]*>", "", words)
    for word in ("得分", "中国知识", "未评分", "修正规则", "与论文表格并列"):
        assert word in chinese


def test_no_clips_leaves_a_small_file(workspace, finish, tmp_path):
    html = reported(workspace, finish, tmp_path, ["少林"], clips=0)
    assert "<audio" not in html


@needs_chromium
def test_a_browser_shows_it_and_asks_the_network_for_nothing(workspace, finish, tmp_path):
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    beacon = f'<img src="http://127.0.0.1:{server.server_address[1]}/leak.png">'
    reported(workspace, finish, tmp_path, [*MARKUP, beacon])
    dom = browse(tmp_path / "report.html", tmp_path / "profile", "--dump-dom")
    server.shutdown()
    server.server_close()
    page = Page(dom)
    assert asked == []
    assert beacon in "\x00".join(page.texts)
    assert not [tag for tag, _ in page.elements if tag in ("script", "img", "b", "i", "u")]


def browse(page: Path, profile: Path, *what: str) -> str:
    """What headless Chromium prints for ``page``."""
    flags = [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
        "--disable-component-update", "--disable-sync", f"--user-data-dir={profile}",
    ]  # fmt: skip
    assert CHROMIUM is not None
    ended = subprocess.run(
        [CHROMIUM, *flags, *what, page.as_uri()], capture_output=True, text=True, check=True, timeout=90
    )
    return ended.stdout
