package dev.bluebell.cli.demo;

import dev.bluebell.verbs.AddressHandle;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.NetworkHeader;
import dev.bluebell.verbs.RcQueuePair;
import dev.bluebell.verbs.SharedReceiveQueue;
import dev.bluebell.verbs.StridingEntry;
import dev.bluebell.verbs.StridingReceiveQueue;
import dev.bluebell.verbs.UcQueuePair;
import dev.bluebell.verbs.UdQueuePair;
import java.util.ArrayList;
import java.util.List;

/** The kinds of queue pairs other than reliable connections, and of receive queues. */
final class TransportSteps {
  private static final int BYTES = 64;
  private static final int STRIDE = 1024;
  private static final int STRIDES = 8;

  private TransportSteps() {}

  static String unreliable(Stage stage) {
    Place left = stage.place();
    Place right = stage.place();
    UcQueuePair from = stage.domain().ucQueuePair(left.completions()).create();
    UcQueuePair to = stage.domain().ucQueuePair(right.completions()).create();
    Stage.connect(from, to);
    left.fill(0, BYTES, 50);
    left.fill(4096, 4096, 51);
    to.receive().scatter(right.region(), 0, BYTES).post(1);
    to.receive().empty().post(2);
    to.ringReceiveDoorbell();
    stage.start();
    from.send().gather(left.region(), 0, BYTES).signaled(3);
    from.writeImmediate(right.remote(4096), 7).gather(left.region(), 4096, 4096).signaled(4);
    from.ringDoorbell();
    Check.equal("the byte count", BYTES, right.await().byteCount());
    Check.equal("the immediate", 7, right.await().immediate());
    stage.stop();
    right.expect(0, BYTES, 50);
    right.expect(4096, 4096, 51);
    return "64 B + 4 KiB";
  }

  static String datagrams(Stage stage) {
    Place left = stage.place();
    UdQueuePair from = stage.domain().udQueuePair(left.completions()).create();
    left.fill(0, BYTES, 52);
    List<Place> places = new ArrayList<>();
    List<AddressHandle> peers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Place place = stage.place();
      UdQueuePair peer = stage.domain().udQueuePair(place.completions()).create();
      peer.receive().scatter(place.region(), 0, UdQueuePair.HEADER_BYTES + BYTES).post(i);
      peer.ringReceiveDoorbell();
      places.add(place);
      peers.add(from.addressHandle(peer.endpoint()));
    }
    stage.start();
    for (AddressHandle peer : peers) {
      from.to(peer).send().gather(left.region(), 0, BYTES).signaled(0);
    }
    from.ringDoorbell();
    for (Place place : places) {
      Completion received = place.await();
      Check.equal("the byte count", UdQueuePair.HEADER_BYTES + BYTES, received.byteCount());
    }
    stage.stop();
    for (Place place : places) {
      place.expect(UdQueuePair.HEADER_BYTES, BYTES, 52);
      NetworkHeader header = new NetworkHeader().at(place.segment(), 0, NetworkHeader.Kind.IPV4);
      Check.equal("the GID of the sender", from.endpoint().gid(), header.source());
    }
    return "2 x 64 B";
  }

  static String shared(Stage stage) {
    int pairs = 3;
    Place right = stage.place();
    SharedReceiveQueue receives = stage.domain().sharedReceiveQueue().create();
    for (int i = 0; i < pairs; i++) {
      receives.receive().scatter(right.region(), 1024L * i, BYTES).post(i);
    }
    receives.ringDoorbell();
    List<Side> senders = new ArrayList<>();
    for (int i = 0; i < pairs; i++) {
      Side left = stage.side(4096);
      RcQueuePair to =
          stage.domain().rcQueuePair(right.completions()).receiveFrom(receives).create();
      Stage.connect(left.queuePair(), to);
      left.fill(0, BYTES, 53 + i);
      senders.add(left);
    }
    stage.start();
    for (Side left : senders) {
      left.send(BYTES);
      right.await();
    }
    stage.stop();
    for (int i = 0; i < pairs; i++) {
      right.expect(1024L * i, BYTES, 53 + i);
    }
    return "3 x 64 B";
  }

  /** Messages of one packet and of three share an entry; each packet takes a stride. */
  static String striding(Stage stage) {
    int pairs = 2;
    int[] lengths = {BYTES, 3 * STRIDE - 100};
    Place right = stage.place();
    StridingReceiveQueue receives =
        stage.domain().stridingReceiveQueue().strides(STRIDES).strideBytes(STRIDE).create();
    StridingEntry entry = receives.entry(right.region(), 0, 7);
    entry.post();
    receives.ringDoorbell();
    List<Side> senders = new ArrayList<>();
    for (int i = 0; i < pairs; i++) {
      Side left = stage.side(4 * STRIDE);
      RcQueuePair to =
          stage.domain().rcQueuePair(right.completions()).receiveFrom(receives).create();
      Stage.connect(left.queuePair(), to, ConnectOptions.DEFAULT.withPathMtu(STRIDE));
      senders.add(left);
    }
    stage.start();
    for (int length : lengths) {
      for (Side left : senders) {
        left.fill(0, length, length + senders.indexOf(left));
        left.send(length);
        left.await();
        expectInStrides(right, entry, length, length + senders.indexOf(left));
      }
    }
    stage.stop();
    Check.that(entry.isFree(), "the entry has strides that no message took");
    return "4 in 8 strides";
  }

  /** A message is contiguous: all its packets but the last are as large as a stride. */
  private static void expectInStrides(Place place, StridingEntry entry, int length, int seed) {
    int offset = -1;
    for (int done = 0; done < length; ) {
      Completion packet = place.await();
      Check.that(packet.stride().entry().equals(entry), "a packet is in another entry");
      Check.equal("the first packet", done == 0, packet.stride().isFirst());
      if (done == 0) {
        offset = packet.stride().offset();
      }
      Check.equal("the offset of the stride", offset + done, packet.stride().offset());
      done += packet.byteCount();
      Check.equal("the last packet", done == length, packet.stride().isLast());
      boolean unused = entry.release();
    }
    place.expect(entry.offset() + offset, length, seed);
  }
}
