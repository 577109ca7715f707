package dev.bluebell.roce.capture;

/**
 * An interface on which packets were captured.
 *
 * @param linkType type of the header with which they start: a number of tcpdump's list, 16 bits
 * @param snapLength maximum number of captured bytes of a packet; 0 for no limit
 */
public record CaptureInterface(int linkType, int snapLength) {}
