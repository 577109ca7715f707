package dev.bluebell.cli.paste;

/** What a paste holds. */
public sealed interface Piece permits Dump, Report, FailedRequest, CommandRefusal {
  /** Number of its first line, from 1. */
  int line();
}
