#!/usr/bin/env python3
"""What scripts/docs does besides MkDocs.

    docs-site.py stage ROOT FOLDER   copies the documents and all files that they link to
    docs-site.py check SITE          every link inside the site leads to a page and to an anchor there

The copies have the same paths as in the repository, so that links are the same in both.
"""

import html.parser
import json
import pathlib
import re
import shutil
import sys
import urllib.parse

# [text](target) outside of code; a title after the target is not used here.
LINK = re.compile(r"(?<=\]\()[^)\s]+(?=\))")
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)

API = """# Python: reference

From the docstrings of the package; the examples are in [Python](python.md).

::: tropic
"""


def is_local(target):
    return not target.startswith("#") and not urllib.parse.urlsplit(target).scheme


def listing(folder, there):
    """A page for a folder that a document links to."""
    names = sorted(one.name for one in folder.iterdir() if one.is_file() and not one.name.startswith("."))
    for name in names:
        if not name.endswith(".md"):
            (there / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(folder / name, there / name)
    if (folder / "README.md").exists():
        return
    lines = [f"- [{name}]({urllib.parse.quote(name)})" for name in names]
    (there / "README.md").write_text(f"# {folder.name}\n\n" + "\n".join(lines) + "\n")


def staged_text(root, source, text, out):
    """The text of a document; copies what it links to."""

    def outside_code(part):
        return LINK.sub(replaced, part)

    def replaced(match):
        target = match.group()
        if not is_local(target):
            return target
        path, sign, anchor = target.partition("#")
        linked = (source.parent / urllib.parse.unquote(path)).resolve()
        if not linked.exists():
            raise SystemExit(f"{source.relative_to(root)}: the link to {target} leads nowhere")
        place = out / linked.relative_to(root)
        if linked.is_dir():
            place.mkdir(parents=True, exist_ok=True)
            listing(linked, place)
            return path.rstrip("/") + "/README.md" + sign + anchor
        if linked.suffix not in (".md", ".ipynb"):
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(linked, place)
        return target

    parts, last = [], 0
    for fence in FENCE.finditer(text):
        parts += [outside_code(text[last:fence.start()]), fence.group()]
        last = fence.end()
    return "".join([*parts, outside_code(text[last:])])


def staged_notebook(text):
    """A notebook whose links to documents lead to their pages."""
    book = json.loads(text)
    for cell in book["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = [re.sub(r"(\]\([^):]*)\.md([)#])", r"\1.html\2", line)
                              for line in "".join(cell["source"]).splitlines(keepends=True)]
    return json.dumps(book)


def stage(root, out):
    shutil.rmtree(out, ignore_errors=True)
    documents = [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("data/*.md")]
    for source in documents:
        place = out / source.relative_to(root)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(staged_text(root, source, source.read_text(), out))
    for source in root.glob("docs/notebooks/*.ipynb"):
        place = out / source.relative_to(root)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(staged_notebook(source.read_text()))
    (out / "docs" / "python-reference.md").write_text(API)


class Page(html.parser.HTMLParser):
    """The links and anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        for name in ("id", "name"):
            if values.get(name):
                self.anchors.add(values[name])
        for name in ("href", "src"):
            if values.get(name):
                self.links.append(values[name])


def check(site):
    pages = {path: Page(path.read_text()) for path in site.rglob("*.html")}
    wrong, count = [], 0
    for path, page in pages.items():
        if path.name == "404.html":
            continue  # its links are absolute
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            count += 1
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            anchor = urllib.parse.unquote(parts.fragment)
            if not target.exists():
                wrong.append(f"{path.relative_to(site)}: {link} leads nowhere")
            elif anchor and target in pages and anchor not in pages[target].anchors:
                wrong.append(f"{path.relative_to(site)}: {link}: the page has no such anchor")
    print(f"{len(pages)} pages, {count} links inside the site, {len(wrong)} of them lead nowhere")
    if not pages or wrong:
        raise SystemExit("\n".join(sorted(set(wrong))[:40]) or f"no pages in {site}")


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "stage":
        stage(pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve())
    elif len(sys.argv) == 3 and sys.argv[1] == "check":
        check(pathlib.Path(sys.argv[2]).resolve())
    else:
        raise SystemExit(__doc__)
