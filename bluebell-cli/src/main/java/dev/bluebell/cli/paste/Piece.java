package dev.bluebell.cli.paste;

/** A part of a pasted text that was recognized. */
public sealed interface Piece permits Dump, Report, FailedRequest, CommandRefusal, Notice {
  /** Number of its first line, from 1. */
  int line();
}
