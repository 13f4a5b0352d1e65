"""Limits on what clients may do and keep."""

from dataclasses import dataclass, replace
from typing import Annotated

from msgspec import Meta


def count(meaning: str) -> Meta:
    """Declare a whole number from 1."""
    return Meta(ge=1, description=meaning)


def seconds(meaning: str) -> Meta:
    """Declare a duration of up to an hour."""
    return Meta(ge=0.1, le=3600, description=meaning)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The limits of a server. The defaults suit a home, and a small server on the internet.

    `..._at_once` and `..._each_hour` are what one person may do in a burst, and per hour after that. An address may do
    `people_per_address` times as much. With IPv6 an address is a /64; a /56 may do twice as much, and a /48 four times.
    """

    connections: Annotated[int, count("Open connections")] = 1000
    connections_each: Annotated[int, count("Open connections from one address")] = 100
    connections_network: Annotated[
        int, count("Open connections from one network (/24, or /48 of IPv6), but never fewer than `connections_each`")
    ] = 300
    streams: Annotated[int, count("Open event streams (one for each open page of a table)")] = 800
    streams_each: Annotated[int, count("Open event streams of one person")] = 20
    streams_from: Annotated[int, count("Open event streams from one address")] = 100
    people_per_address: Annotated[int, count("Multiple of a person's limits that one address may use")] = 1
    head_time: Annotated[float, seconds("Seconds in which the headers of a request must arrive")] = 10.0
    body_time: Annotated[float, seconds("Seconds in which the body of a request must arrive")] = 30.0
    reading_time: Annotated[float, seconds("Seconds that a client may take to read a response")] = 60.0
    unread: Annotated[
        int, count("Bytes of responses that may wait for slow clients together, besides 16 kB for each")
    ] = 32_000_000
    requests_at_once: Annotated[int, count("Requests that one address may send to a process in a burst")] = 3000
    requests_each_second: Annotated[int, count("Requests that one address may send to a process per second")] = 50
    tables_at_once: Annotated[int, count("Tables that one person may create in a burst")] = 30
    tables_each_hour: Annotated[int, count("Tables that one person may create per hour")] = 120
    tables_going_on: Annotated[int, count("Unfinished tables of the last day that one address may have")] = 100
    public_waiting: Annotated[int, count("Public tables from one address that may wait for players")] = 10
    content_files_at_once: Annotated[int, count("Content files that one person may upload in a burst")] = 10
    content_files_each_hour: Annotated[int, count("Content files that one person may upload per hour")] = 60
    sets_at_once: Annotated[int, count("Studio sets that one person may create in a burst")] = 20
    sets_each_hour: Annotated[int, count("Studio sets that one person may create per hour")] = 60
    sets_each: Annotated[int, count("Studio sets that one person may have")] = 100
    sets_from: Annotated[int, count("Studio sets that may be created from one address")] = 1000
    pictures_at_once: Annotated[int, count("Images that one person may upload in a burst")] = 20
    pictures_each_hour: Annotated[int, count("Images that one person may upload per hour")] = 240
    pictures_each: Annotated[int, count("Bytes that the images of one person may take up")] = 20_000_000
    set_edits_at_once: Annotated[int, count("Changes to studio sets that one person may make in a burst")] = 2000
    set_edits_each_hour: Annotated[int, count("Changes to studio sets that one person may make per hour")] = 20_000
    measured: Annotated[int, count("Studio sets that are measured at the same time")] = 100
    measured_each: Annotated[int, count("Studio sets of one person that are measured at the same time")] = 3
    reports: Annotated[int, count("Lab reports on studio sets that may be queued")] = 20
    learned: Annotated[int, count("Studio sets that may be queued for bot training")] = 10
    tuned: Annotated[int, count("Studio sets that may be queued for tuning")] = 10
    records_at_once: Annotated[int, count("Records that one person may upload in a burst")] = 20
    records_each_hour: Annotated[int, count("Records that one person may upload per hour")] = 60
    records_each: Annotated[int, count("Uploaded records that one person may keep")] = 20
    records_from: Annotated[int, count("Uploaded records that may be kept from one address")] = 200
    reviews_at_once: Annotated[int, count("Reviews that one person may request in a burst")] = 10
    reviews_each_hour: Annotated[int, count("Reviews that one person may request per hour")] = 30
    hints_at_once: Annotated[int, count("Hints that one person may ask for in a burst")] = 20
    hints_each_hour: Annotated[int, count("Hints that one person may ask for per hour")] = 200
    mails_at_once: Annotated[int, count("E-mails (resets, confirmations) that one person may request in a burst")] = 5
    mails_each_hour: Annotated[int, count("E-mails that one person may request per hour")] = 20
    mails_to_at_once: Annotated[int, count("E-mails that may be requested for one address or name in a burst")] = 3
    mails_to_each_hour: Annotated[int, count("E-mails that may be requested for one address or name per hour")] = 6
    friends_each: Annotated[int, count("Friends, open requests and blocked players in one person's list")] = 200
    friend_requests_at_once: Annotated[int, count("Friend requests that one person may send in a burst")] = 10
    friend_requests_each_hour: Annotated[int, count("Friend requests that one person may send per hour")] = 20
    challenges_at_once: Annotated[int, count("Challenges that one person may send in a burst")] = 10
    challenges_each_hour: Annotated[int, count("Challenges that one person may send per hour")] = 30
    invitations_at_once: Annotated[int, count("Invitations to one person from all senders in a burst")] = 10
    invitations_each_hour: Annotated[int, count("Invitations to one person from all senders per hour")] = 20
    invitations_by_one_at_once: Annotated[int, count("Invitations to one person from one sender in a burst")] = 5
    invitations_by_one_each_hour: Annotated[int, count("Invitations to one person from one sender per hour")] = 10
    preferences_at_once: Annotated[int, count("Changes to preferences that one person may make in a burst")] = 20
    preferences_each_hour: Annotated[int, count("Changes to preferences that one person may make per hour")] = 60
    tokens_each: Annotated[int, count("API tokens that one person may have")] = 20
    tokens_at_once: Annotated[int, count("API tokens that one person may create in a burst")] = 20
    tokens_each_hour: Annotated[int, count("API tokens that one person may create per hour")] = 60
    api_calls_at_once: Annotated[int, count("API requests by one token in a burst")] = 1000
    api_calls_each_hour: Annotated[int, count("API requests by one token per hour")] = 36_000
    accounts_at_once: Annotated[int, count("Accounts that one person may create in a burst")] = 5
    accounts_each_hour: Annotated[int, count("Accounts that one person may create per hour")] = 20
    passkeys_each: Annotated[int, count("Passkeys of one account")] = 10
    names_at_once: Annotated[int, count("Sign-in attempts for one name from one network in a burst")] = 10
    names_each_hour: Annotated[int, count("Sign-in attempts for one name from one network per hour")] = 60
    guesses_at_once: Annotated[int, count("Sign-in attempts for one name from all networks in a burst")] = 100
    guesses_each_hour: Annotated[int, count("Sign-in attempts for one name from all networks per hour")] = 300
    sign_ins_at_once: Annotated[int, count("Sign-in attempts that one person may make in a burst")] = 30
    sign_ins_each_hour: Annotated[int, count("Sign-in attempts that one person may make per hour")] = 300
    passwords_at_once: Annotated[int, count("Passwords that are hashed at the same time (19 MB each)")] = 2
    passwords_waiting: Annotated[int, count("Passwords that may wait to be hashed")] = 20
    exports_at_once: Annotated[int, count("Data downloads that one person may make in a burst")] = 3
    exports_each_hour: Annotated[int, count("Data downloads that one person may make per hour")] = 10
    chat_lines_at_once: Annotated[int, count("Chat messages that one person may write in a burst")] = 12
    chat_lines_each_hour: Annotated[int, count("Chat messages that one person may write per hour")] = 400
    longest_line: Annotated[int, Meta(ge=1, le=200, description="Characters in a chat message")] = 200
    lines_at_table: Annotated[int, Meta(ge=1, le=2000, description="Chat messages that a table keeps")] = 2000
    chat_reports_at_once: Annotated[int, count("Chat messages that one person may report in a burst")] = 10
    chat_reports_each_hour: Annotated[int, count("Chat messages that one person may report per hour")] = 30
    moderation_at_once: Annotated[int, count("Actions and searches that one moderator may do in a burst")] = 60
    moderation_each_hour: Annotated[int, count("Actions and searches that one moderator may do per hour")] = 300
    mutes_each: Annotated[int, count("People that one person may mute")] = 200
    rated_together: Annotated[int, count("Rated matches that the same two people may finish within a day")] = 20
    rated_network: Annotated[
        int, count("Rated matches that a player may finish per day against players on one network")
    ] = 10
    stored_at_once: Annotated[int, count("Bytes that one person may add to the database in a burst")] = 200_000_000
    stored_each_hour: Annotated[
        int, count("Bytes that one person may add to the database per hour (the default: 200 MB in 30 days)")
    ] = 278_000
    database: Annotated[
        int, count("Bytes that the database may take up; above that, matches continue, but nothing new is saved")
    ] = 5_000_000_000
    tables_in_memory: Annotated[int, count("Tables in memory; the least recently used ones are evicted")] = 2000

    def below(self, connections: int) -> "Limits":
        """Return the limits for a system that allows at most `connections` connections."""
        most = min(self.connections, connections)
        return replace(self, connections=most, streams=min(self.streams, most * 4 // 5))
