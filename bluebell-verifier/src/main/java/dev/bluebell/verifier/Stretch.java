package dev.bluebell.verifier;

/**
 * Memory in one piece.
 *
 * @param place place of its first byte
 * @param length in bytes
 */
record Stretch(int place, int length) {}
