package dev.bluebell.roce.capture;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A packet of a capture file.
 *
 * @param interfaceIndex where it was captured: an index into the interfaces of the file
 * @param nanoseconds when, since 1970 in UTC
 * @param bytes the captured bytes, from position 0 to the limit
 * @param wireBytes its length on the wire, at least the number of captured bytes
 * @param comments about it; a pcap file has none
 */
public record CapturedPacket(
    int interfaceIndex, long nanoseconds, ByteBuffer bytes, long wireBytes, List<String> comments) {
  /** Takes a copy of the comments. */
  public CapturedPacket {
    comments = List.copyOf(comments);
  }

  /** The same packet with more comments. */
  public CapturedPacket withComments(List<String> more) {
    List<String> all = new ArrayList<>(comments);
    all.addAll(more);
    return new CapturedPacket(interfaceIndex, nanoseconds, bytes, wireBytes, all);
  }
}
