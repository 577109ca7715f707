package dev.bluebell.roce.conversation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * A summary of the packets that one queue pair sent to another.
 *
 * @param source address of the sender
 * @param sourceQpn its queue pair; −1 when the capture does not show it
 * @param destination address of the receiver
 * @param destinationQpn its queue pair
 * @param packets all of them
 * @param firstFrame number of the first in the capture
 * @param lastFrame number of the last
 * @param requestPackets number of request packets among them
 * @param messages whose last packet was seen, not counting retransmissions
 * @param payloadBytes payload of all packets with a good ICRC, including retransmissions
 * @param firstPsn of its requests; −1 without any
 * @param lastPsn likewise, with the PSNs that READs were seen to take
 * @param retransmissions requests with a PSN that was seen before
 * @param duplicates retransmissions of requests that had been acknowledged
 * @param missing number of skipped PSNs
 * @param unacknowledged PSNs behind the last acknowledged one, of a reliable service
 * @param acks ACKs, not counting READ and atomic responses
 * @param readResponses packets
 * @param atomicResponses packets
 * @param repeatedResponses responses to requests that were already answered
 * @param naks number of NAKs by meaning
 * @param rnrNaks number of RNR NAKs by their timer in µs
 * @param congestionNotifications CNPs
 * @param badIcrc packets with a wrong ICRC, which are not counted elsewhere
 */
public record Direction(
    String source,
    int sourceQpn,
    String destination,
    int destinationQpn,
    long packets,
    long firstFrame,
    long lastFrame,
    long requestPackets,
    long messages,
    long payloadBytes,
    int firstPsn,
    int lastPsn,
    long retransmissions,
    long duplicates,
    long missing,
    long unacknowledged,
    long acks,
    long readResponses,
    long atomicResponses,
    long repeatedResponses,
    Map<String, Long> naks,
    Map<Integer, Long> rnrNaks,
    long congestionNotifications,
    long badIcrc) {
  /** Makes the maps unmodifiable. */
  public Direction {
    naks = Collections.unmodifiableMap(naks);
    rnrNaks = Collections.unmodifiableMap(rnrNaks);
  }

  static String queuePair(int qpn) {
    return qpn < 0 ? "QP ?" : "QP 0x%x".formatted(qpn);
  }

  /** The direction in one line. */
  public String line() {
    List<String> parts = new ArrayList<>();
    if (requestPackets > 0) {
      parts.add(
          "%s, PSN 0x%06x to 0x%06x, in %s"
              .formatted(
                  count(messages, "message"), firstPsn, lastPsn, count(requestPackets, "packet")));
    }
    add(parts, readResponses, "READ response");
    add(parts, atomicResponses, "atomic response");
    add(parts, acks, "ACK");
    naks.forEach((nak, times) -> parts.add("%d × %s".formatted(times, nak)));
    rnrNaks.forEach((time, times) -> parts.add("%d × RNR NAK (%d µs)".formatted(times, time)));
    if (payloadBytes > 0) {
      parts.add(count(payloadBytes, "byte"));
    }
    add(parts, retransmissions, "retransmission");
    add(parts, duplicates, "duplicate");
    add(parts, repeatedResponses, "repeated response");
    add(parts, congestionNotifications, "congestion notification");
    if (missing > 0) {
      parts.add(count(missing, "PSN") + " missing at first");
    }
    if (unacknowledged > 0) {
      parts.add(count(unacknowledged, "PSN") + " not acknowledged");
    }
    if (badIcrc > 0) {
      parts.add(count(badIcrc, "packet") + " with a wrong ICRC");
    }
    String frames =
        firstFrame == lastFrame
            ? "packet %d".formatted(firstFrame)
            : "packets %d–%d".formatted(firstFrame, lastFrame);
    return "%s %s (%s): %s"
        .formatted(source, queuePair(sourceQpn), frames, String.join(", ", parts));
  }

  private static void add(List<String> parts, long count, String what) {
    if (count > 0) {
      parts.add(count(count, what));
    }
  }

  private static String count(long count, String what) {
    return "%d %s%s".formatted(count, what, count == 1 ? "" : "s");
  }
}
