"""Playing cards: every card has its own name and drawing, the same in all games."""

from sparring.scene.card_faces import face_svg
from sparring.scene.playing_cards import card_name, card_title, drawing, pack_face


def test_every_card_has_its_own_name_title_and_drawing() -> None:
    pack = range(52)
    assert len({card_name(card) for card in pack}) == 52
    assert len({card_title(card) for card in pack}) == 52
    assert len({face_svg(pack_face(card)) for card in pack}) == 52
    assert (card_name(0), card_title(0)) == ("2C", "2 of clubs")
    assert (card_name(42), card_title(42)) == ("QH", "Queen of hearts")
    assert (card_name(51), card_title(51)) == ("AS", "Ace of spades")


def test_a_face_names_its_suit_once_in_red_or_black() -> None:
    queen = pack_face(42)
    assert queen.title == "Queen of hearts, Q♥"
    assert 'class="face tone-red"' in face_svg(queen)
    assert 'class="face tone-black"' in face_svg(pack_face(51))


def test_the_drawing_is_the_whole_card() -> None:
    svg = face_svg(pack_face(34))
    assert svg.count(">10</text>") == 2
    assert svg.count('class="pip"') == 12
    assert "translate(6.5 19)" not in svg
    assert "<b>" in drawing("K", "S", "<b>").svg
