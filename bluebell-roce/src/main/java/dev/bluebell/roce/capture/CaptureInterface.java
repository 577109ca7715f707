package dev.bluebell.roce.capture;

/**
 * Where packets were captured.
 *
 * @param linkType what they begin with: a number of tcpdump's list, 16 bits
 * @param snapLength bytes that are captured of a packet at most; 0 for no limit
 */
public record CaptureInterface(int linkType, int snapLength) {}
