"""The pages of a night as people press through them: the stories of `tests/cases/pages`."""

import pytest
from flask.testing import FlaskClient

from tests.web.page_stories import Evening, Story, stories


@pytest.mark.parametrize("story", list(stories()), ids=str)
def test_the_pages_answer_as_the_story_tells(client: FlaskClient, story: Story) -> None:
    evening = Evening(client)
    for step in story.steps:
        evening.take(step)
