"""Play: by clicks, by the list, by a typed move; back, hints, sides, and two searches."""

import pytest

from tests.web.browser.visit import MINE, OVER

FAST = "uct(nodes=200)"


def first(names):
    return names[0]


def middle(names):
    return names[len(names) // 2]


@pytest.mark.slow
@pytest.mark.parametrize(("game", "choose"), [("tictactoe", first), ("connect4", middle), ("othello", middle)])
def test_a_game_is_played_to_its_end_by_clicks(visit, game, choose):
    visit.open("play", game=game, second=FAST)
    plies = visit.play_to_the_end(choose)
    assert plies >= 5
    said = visit.page.inner_text(OVER)
    assert "wins" in said or "draw" in said
    assert visit.cells() == []
    assert visit.moves() == []


@pytest.mark.slow
def test_a_person_moves_first_against_the_default_opponent(visit):
    visit.open("play", game="tictactoe")
    visit.page.wait_for_selector(MINE)
    assert visit.ply == 0
    assert len(visit.cells()) == 9
    visit.click("b2")
    visit.wait_for_ply(2)
    assert "b2" not in visit.cells()
    assert "says uct(" in visit.page.inner_text(".ahead-words")


@pytest.mark.slow
def test_moves_from_the_list_and_typed_ones(visit):
    visit.open("play", game="tictactoe", second="person")
    visit.page.click('[data-move="a1"]')
    visit.wait_for_ply(1)
    visit.page.fill('input[aria-label="type a move"]', "B2")
    visit.page.keyboard.press("Enter")
    visit.wait_for_ply(2)
    visit.page.fill('input[aria-label="type a move"]', "b2")
    visit.page.keyboard.press("Enter")
    assert "not a legal move" in visit.page.inner_text(".notice.bad")
    assert visit.ply == 2


@pytest.mark.slow
def test_a_gesture_of_two_cells_can_be_taken_back(visit):
    visit.open("play", game="chess", second="person")
    visit.page.wait_for_selector('[data-cell="e2"]')
    visit.click("e2")
    assert {"e3", "e4", "e2"} <= set(visit.cells())
    visit.click("e2")
    assert "e4" not in visit.cells()
    visit.click("g1")
    assert {"f3", "h3"} <= set(visit.cells())
    visit.click("e2")
    visit.click("e4")
    visit.wait_for_ply(1)


@pytest.mark.slow
def test_a_menu_asks_when_several_moves_have_the_same_clicks(visit):
    visit.open("play", game="chess", state="8/P6k/8/8/8/8/7K/8 w - - 0 1", second="person")
    visit.page.wait_for_selector('[data-cell="a7"]')
    visit.click("a7")
    visit.click("a8")
    names = visit.page.locator(".board-menu button").all_inner_texts()
    assert len(names) >= 5
    visit.page.locator(".board-menu button").first.click()
    visit.wait_for_ply(1)


@pytest.mark.slow
def test_the_back_button_and_take_back_lead_to_the_persons_position(visit):
    visit.open("play", game="tictactoe", second=FAST)
    visit.page.wait_for_selector(MINE)
    visit.click("a1")
    visit.wait_for_ply(2)
    visit.page.go_back()
    visit.page.wait_for_function("() => document.querySelector('.board').dataset.ply === '0'")
    visit.page.wait_for_selector(MINE)
    visit.click("b2")
    visit.wait_for_ply(2)
    visit.page.wait_for_selector(MINE)
    visit.page.click("text=Take back")
    visit.page.wait_for_function("() => document.querySelector('.board').dataset.ply === '0'")


@pytest.mark.slow
def test_an_address_leads_to_its_position(visit):
    visit.open("play", game="tictactoe", moves="a1 b2", second="person")
    visit.wait_for_ply(2)
    assert "token" not in visit.page.url
    assert {"a1", "b2"}.isdisjoint(visit.cells())


@pytest.mark.slow
def test_hint_swap_and_resign(visit):
    visit.open("play", game="tictactoe", second=FAST)
    visit.page.wait_for_selector(MINE)
    visit.page.click("text=Hint")
    visit.page.wait_for_selector(".ring.hint")
    assert "would play" in visit.page.inner_text(MINE)
    visit.page.click("text=Swap sides")
    visit.wait_for_ply(1)
    assert visit.wait_for_turn()
    visit.page.click("text=Resign")
    visit.page.wait_for_selector(OVER)
    assert "Second resigned" in visit.page.inner_text(OVER)


@pytest.mark.slow
def test_two_searches_play_each_other(visit):
    visit.open("play", game="tictactoe", first=FAST, second="greedy")
    visit.page.wait_for_selector(OVER)
    assert visit.ply >= 5


@pytest.mark.slow
def test_dice_fall_by_themselves(visit):
    visit.open("play", game="pig(target=10)", second="greedy")
    assert visit.wait_for_turn()
    visit.page.locator("[data-move]").first.click()
    visit.wait_for_ply(2)


@pytest.mark.slow
def test_a_users_game_with_a_plain_board(visit):
    visit.open("play", game="capture.py:Capture", second="person")
    visit.page.wait_for_selector("[data-cell]")
    for _ in range(3):
        visit.page.wait_for_selector(MINE)
        before = visit.ply
        visit.page.locator("[data-move]").first.click()
        visit.wait_for_ply(before + 1)


@pytest.mark.slow
def test_what_a_game_says_is_text(visit):
    visit.open("play", game="odd.py:Odd", second="person")
    visit.page.wait_for_selector(MINE)
    assert "<script>" in visit.page.inner_text(".board-text")
    visit.page.locator("[data-move]").first.click()
    visit.wait_for_ply(1)
    visit.page.wait_for_selector(".played .ply")
    assert visit.page.evaluate("window.broken") is None
    assert visit.page.locator("main img").count() == 0


@pytest.mark.slow
def test_keys_alone_are_enough(visit):
    visit.open("play", game="tictactoe", second="person")
    visit.page.wait_for_selector(MINE)
    visit.page.focus('[data-cell="a1"]')
    visit.page.keyboard.press("ArrowRight")
    focused = "document.activeElement.dataset.name"
    assert visit.page.evaluate(focused) == "b1"
    visit.page.keyboard.press("Enter")
    visit.wait_for_ply(1)
    assert visit.page.evaluate(focused) == "b1"
    label = visit.page.get_attribute('[data-name="b1"]', "aria-label")
    assert label.startswith("b1, ")
    assert "empty" not in label


@pytest.mark.slow
def test_the_gallery_leads_to_a_game(visit):
    visit.open("play")
    visit.page.click('[data-game="tictactoe"]')
    visit.page.wait_for_selector(MINE)
    visit.page.go_back()
    visit.page.wait_for_selector(".gallery")
