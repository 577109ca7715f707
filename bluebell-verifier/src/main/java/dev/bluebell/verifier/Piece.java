package dev.bluebell.verifier;

/**
 * One entry of a gather or scatter list.
 *
 * @param offset offset in the request of the inline bytes, or of the pointer's segment
 * @param length in bytes
 * @param lkey of the memory; 0 for inline bytes
 * @param address of the memory; 0 for inline bytes
 * @param inline true when the bytes are in the request
 */
record Piece(int offset, int length, int lkey, long address, boolean inline) {}
