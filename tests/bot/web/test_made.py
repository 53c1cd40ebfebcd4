"""Parts of pages are made once, up to a size, and hold nothing of who reads them."""

from markupsafe import Markup

from bot.web.made import Made


def test_a_part_is_made_once_for_its_key_and_the_longest_unused_goes() -> None:
    made, asked = Made(most_characters=10), list[str]()

    def part(text: str) -> Markup:
        return made.of((text,), lambda: (asked.append(text), Markup("{}").format(text))[1])

    for text in ("aaaa", "bbbb", "aaaa", "cccc", "aaaa", "bbbb"):
        assert part(text) == text
    assert asked == ["aaaa", "bbbb", "cccc", "bbbb"], "aaaa was used when cccc needed room"
    part("d" * 11)
    assert made._held == {} and made._characters == 0, "what is larger than all room is not kept"
