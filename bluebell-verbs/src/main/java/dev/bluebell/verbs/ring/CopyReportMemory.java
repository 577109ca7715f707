package dev.bluebell.verbs.ring;

/**
 * The memory where the device reports on memory copies.
 *
 * @param address of 64 bytes that the device may write to
 * @param lkey key of a region that holds them
 */
public record CopyReportMemory(long address, int lkey) {}
