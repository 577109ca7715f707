package dev.bluebell.cli.paste;

/** A part of a pasted text that was recognized. */
public sealed interface Piece permits Dump, Report, FailedRequest, CommandRefusal, Notice, Unread {
  /** Number of its first line, from 1. */
  int line();

  /** What it is about: pieces with equal subjects repeat one failure. */
  default Object subject() {
    return this;
  }
}
