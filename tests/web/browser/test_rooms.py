"""Think, Why, Review and Rank."""

import re

import pytest

GAME = "a1 b2 a2 a3 c1 b1 b3"  # tic-tac-toe; not the best moves


@pytest.mark.slow
@pytest.mark.parametrize("player", ["lcf", "uct", "alphabeta", "greedy"])
def test_a_search_is_watched(visit, player):
    visit.open("think", game="tictactoe", player=player, budget="nodes=500")
    visit.page.click("text=Run")
    visit.page.wait_for_selector("text=finished:")
    assert visit.page.locator('[data-search="a"] tbody tr').count() == 9
    assert re.search(r"plays [abc][123]", visit.page.inner_text('[data-search="a"] .answer'))
    titles = visit.page.eval_on_selector_all('[data-search="a"] td[title]', "nodes => nodes.map(node => node.title)")
    assert titles
    assert all(player in title for title in titles)


@pytest.mark.slow
def test_steps_pause_and_back_in_time(visit):
    visit.open("think", game="tictactoe", player="bfmm", budget="nodes=500")
    for _ in range(3):
        visit.page.click('[aria-label="step 10"]')
        visit.page.wait_for_function("() => document.querySelector('.panel .note').textContent.includes('paused')")
    visit.page.wait_for_function("() => +document.querySelector('input[type=range]').max >= 30")
    slider = visit.page.locator(".time input")
    slider.fill("5")
    assert "of" in visit.page.inner_text(".time")


@pytest.mark.slow
def test_two_searches_side_by_side_and_a_tree(visit):
    visit.open("think", game="connect4", player="lcf", player2="uct", budget="nodes=1000")
    visit.page.click("text=Run")
    for letter in "ab":
        visit.page.wait_for_selector(f'[data-search="{letter}"] >> text=finished:')
    visit.page.click('[data-search="a"] summary')
    visit.page.locator('[data-search="a"] .twist[aria-label^=open]').first.click()
    visit.page.wait_for_selector('[data-search="a"] .tree ul')
    visit.page.locator('[data-search="a"] .tree ul .tree-move').first.click()
    visit.page.wait_for_selector("text=A position of the tree")
    assert visit.ply == 2


@pytest.mark.slow
def test_why(visit):
    visit.open("why", game="tictactoe", moves="a1 b2", player="lcf(nodes=500)")
    visit.page.wait_for_selector(".say-choice")
    assert visit.page.locator(".sentences li").count() >= 3
    visit.page.wait_for_function("() => document.querySelectorAll('.side td.mono').length >= 3")
    assert "exact value" in visit.page.inner_text(".side")


@pytest.mark.slow
def test_review_of_a_game(visit):
    visit.open("review", game="tictactoe", moves=GAME, player="alphabeta(nodes=2000)")
    visit.page.wait_for_selector("text=Every value is")
    assert visit.page.locator(".bar").count() == len(GAME.split()) + 1
    visit.page.locator(".bar").nth(2).click()
    visit.page.wait_for_selector("text=/played\\s+a2/")
    assert visit.ply == 2


@pytest.mark.slow
def test_review_of_a_pasted_game(visit):
    visit.open("review", game="tictactoe")
    visit.page.fill("textarea", GAME)
    visit.page.click("text=Review it")
    visit.page.wait_for_selector("text=Every value is")


@pytest.mark.slow
def test_a_ranking_is_played_and_its_games_are_stepped_through(visit):
    visit.open("rank", game="tictactoe")
    visit.page.fill('textarea[aria-label="players"]', "greedy\nrandom")
    for label, value in (("Games in all", "20"), ("Random plies first", "2")):
        visit.page.get_by_label(label).fill(value)
    visit.page.click("text=Start")
    visit.page.wait_for_selector("section[aria-label='the ranking'] tbody tr >> text=greedy")
    visit.page.wait_for_selector("text=/finished|done|20 games/")
    visit.page.locator(".run-row").first.click()
    visit.page.wait_for_selector("text=moves first against")
    assert visit.ply > 0


@pytest.mark.slow
def test_the_rooms_keep_the_position(visit):
    visit.open("play", game="tictactoe", moves="a1 b2", second="person")
    visit.wait_for_ply(2)
    for room in ("Think", "Why this move?", "Review", "Play"):
        visit.page.click(f'nav a[aria-label="{room}"]')
        visit.page.wait_for_function("() => document.querySelector('.board-box .board')?.dataset.ply === '2'")
        assert "moves=a1+b2" in visit.page.url
