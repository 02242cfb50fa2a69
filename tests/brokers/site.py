"""A site with its people, as every broker under test gets it from `feltd access`."""

from __future__ import annotations

from daemon.config.people import People, examine_people
from daemon.mqtt.topics import Topics

TOPICS = Topics("harbour", "table7")
OTHER = Topics("harbour", "table8")
TABLE, OTHER_TABLE = "table7-feltd", "table8-feltd"
_TEXT = """\
site = "harbour"
[tables]
table7 = { user = "table7-feltd" }
table8 = { user = "table8-feltd" }
[people]
ana = { role = "dealer", tables = ["table7"] }
bob-lee = { role = "supervisor", tables = ["table7", "table8"] }
seat3 = { role = "player", tables = ["table7"], seats = [3] }
screen = { role = "display", tables = ["table7"] }
store = { role = "collector", tables = ["*"] }
"""


def people_text() -> str:
    """Return the site's file of people."""
    return _TEXT


def people() -> People:
    read = examine_people(_TEXT)
    assert isinstance(read, People), read
    return read


USERS = (*(table.user for table in people().tables.values()), *people().people)


def password(user: str) -> str:
    """Return the password that the test gave this user."""
    return f"password-of-{user}"
