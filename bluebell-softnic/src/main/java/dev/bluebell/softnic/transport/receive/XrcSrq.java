package dev.bluebell.softnic.transport.receive;

import dev.bluebell.softnic.transport.connection.ReceiveSource;

/**
 * A shared receive queue that the messages of XRC targets name by its number.
 *
 * @param number the SRQN
 * @param xrcd number of the XRC domain that targets must be in
 * @param context the context, kept for QUERY_XRC_SRQ
 * @param source the receive queue of messages; their remote keys must also belong to its protection
 *     domain
 */
public record XrcSrq(int number, int xrcd, byte[] context, ReceiveSource source) {

  @Override
  public String toString() {
    return "XRC SRQ 0x%x: XRCD 0x%x, %d WQEs, %d available"
        .formatted(number, xrcd, source.queue().size(), source.queue().look());
  }
}
