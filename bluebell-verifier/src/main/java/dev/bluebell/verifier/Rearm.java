package dev.bluebell.verifier;

import java.util.Map;
import java.util.function.IntFunction;

/**
 * What makes a program ready for its next call from outside: when the last message of a call is
 * there, the client writes regions of the program, each from its start, and then sends its next
 * message on the same connection. One queue alone may send to it, as messages of two come in any
 * order. Entries of the queue that waits for it are posted for each call from the beginning, so
 * nobody may write to its ring.
 *
 * @param writes what the client writes before a call, from 1, by name of the region
 * @param launcher number of the queue that waits for the messages
 * @param launches the entries that it has for a call, from 1
 */
public record Rearm(
    IntFunction<Map<String, byte[]>> writes, int launcher, IntFunction<byte[]> launches) {}
