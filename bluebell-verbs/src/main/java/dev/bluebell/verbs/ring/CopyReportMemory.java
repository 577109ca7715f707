package dev.bluebell.verbs.ring;

/**
 * Where the device reports on copies from memory to memory.
 *
 * @param address of 64 bytes that the device may write to
 * @param lkey key of a region that holds them
 */
public record CopyReportMemory(long address, int lkey) {}
