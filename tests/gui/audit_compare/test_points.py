"""The picture of the points: where they are, what they look like, and that many are one picture."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QColor

from gui.audit.compare.point_picture import SHAPES, Stamp, mask, picture

RED, BLUE = QColor(255, 0, 0), QColor(0, 0, 255)


def points(*places, kind=0):
    x, y = np.array(places, float).T
    return x, y, np.full(len(places), kind)


def alpha(image):
    return np.array([[image.pixelColor(x, y).alpha() for x in range(image.width())] for y in range(image.height())])


@pytest.mark.parametrize("side", [5, 7, 9, 15])
def test_no_two_shapes_are_alike(side):
    shapes = [mask(shape, side).tobytes() for shape in SHAPES]
    assert len(set(shapes)) == len(SHAPES)
    assert all(mask(shape, side).any() for shape in SHAPES)


def test_a_point_stands_where_it_is_and_nowhere_else():
    image = picture(*points((20, 10)), [Stamp(0, "square", RED)], (40, 30), 5)
    rows, columns = np.nonzero(alpha(image))
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (8, 12, 18, 22)
    assert image.pixelColor(20, 10).red() > 200


def test_later_stamps_lie_on_earlier_ones():
    x, y = np.array([5.0, 5.0]), np.array([5.0, 5.0])
    looks = [Stamp(1, "square", BLUE), Stamp(0, "square", RED)]
    colour = picture(x, y, np.array([0, 1]), looks, (11, 11), 5).pixelColor(5, 5)
    assert colour.red() > colour.blue()


def test_points_at_the_edge_and_outside_do_not_wrap_round():
    image = picture(*points((0, 5), (-3, 5), (50, 5)), [Stamp(0, "square", RED)], (20, 11), 5)
    columns = np.nonzero(alpha(image))[1]
    assert columns.max() <= 2


def test_many_at_one_place_are_denser_than_one():
    place = [(5, 5)] * 3_000 + [(15, 5)]
    found = alpha(picture(*points(*place), [Stamp(0, "disc", RED)], (21, 11), 5))
    assert found[5, 5] > found[5, 15] > 0


def test_what_is_faded_is_less_dense():
    look = [Stamp(0, "disc", RED)]
    whole, faded = (alpha(picture(*points((5, 5)), look, (11, 11), 5, share))[5, 5] for share in (1.0, 0.3))
    assert 0 < faded < whole / 2


def test_no_points_are_an_empty_picture():
    empty = np.empty(0)
    assert not alpha(picture(empty, empty, empty.astype(int), [Stamp(0, "disc", RED)], (5, 5), 5)).any()
