"""Frames of `render_mode="rgb_array"`: one size, what they show, and what the adapters return."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import sparring.research.gymnasium as adapter
from research.games_under_test import TIC_TAC_TOE
from sparring.research.adapters import CELL, text_image
from sparring.research.pettingzoo import raw_env


def cell(image: np.ndarray[Any, Any], row: int, column: int) -> np.ndarray[Any, Any]:
    """Return the pixels of a character, without those that its neighbours reach into."""
    top, left = (1 + row) * CELL[1], (2 + column) * CELL[0]
    return image[top : top + CELL[1], left : left + CELL[0]]


def test_frames_have_one_size_whatever_they_show() -> None:
    shapes = {text_image(text).shape for text in ("", "a", "line\n" * 100, "wide " * 100)}
    assert len(shapes) == 1
    assert text_image("").dtype == np.uint8


def test_characters_keep_their_columns() -> None:
    image = text_image("i.i\no.o")
    assert (cell(image, 0, 1) == cell(image, 1, 1)).mean() > 0.95
    assert (cell(image, 0, 0) == cell(image, 0, 2)).all()


@pytest.mark.parametrize("signs", ["●○█", "↑→↗", "–x", "éa"])
def test_signs_that_the_typeface_lacks_are_drawn_each_in_its_way(signs: str) -> None:
    blank, missing = cell(text_image(""), 0, 0), cell(text_image("\uffff"), 0, 0)
    drawn = [cell(text_image(sign), 0, 0) for sign in signs]
    assert all((each != blank).any() and (each != missing).any() for each in drawn)
    assert len({each.tobytes() for each in drawn}) == len(signs)


def test_gymnasium_returns_a_new_frame_for_each_position() -> None:
    adapter.register(TIC_TAC_TOE)
    env = gymnasium.make("sparring/TicTacToe-v1", render_mode="rgb_array", seat=1)
    check_env(env.unwrapped)
    env.reset(seed=1)
    before = np.asarray(env.render())
    env.step(4)
    after = np.asarray(env.render())
    assert (before.shape, before.dtype) == (after.shape, after.dtype)
    assert (before != after).any()


def test_pettingzoo_returns_the_view_of_the_seat_that_must_act() -> None:
    env = raw_env(TIC_TAC_TOE, render_mode="rgb_array")
    env.reset(seed=1)
    text = raw_env(TIC_TAC_TOE, render_mode="ansi")
    text.reset(seed=1)
    assert "rgb_array" in str(env.metadata["render_modes"])
    assert (np.asarray(env.render()) == text_image(str(text.render()))).all()
