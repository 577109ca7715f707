package dev.bluebell.verifier;

/**
 * A contiguous range of memory.
 *
 * @param place place of its first byte
 * @param length in bytes
 */
record Stretch(int place, int length) {}
