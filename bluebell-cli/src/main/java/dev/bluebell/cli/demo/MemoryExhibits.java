package dev.bluebell.cli.demo;

import static dev.bluebell.cli.demo.Finding.RESPONDER;

import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.MemoryRegion;
import dev.bluebell.verbs.MemoryWindow;
import dev.bluebell.verbs.UdQueuePair;
import dev.bluebell.verbs.WindowType;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Failures with memory that was not there, or did not hold what the application assumed. */
final class MemoryExhibits {
  private static final int BYTES = 64;
  private static final int SEED = 94;

  private MemoryExhibits() {}

  static List<Exhibit> all() {
    return List.of(
        Exhibit.of(
            "libfabric-4283",
            "a peer reads memory that is no longer registered",
            List.of("ofiwg/libfabric#4283", "spdk/spdk#1387", "ydb-platform/nbs#6290"),
            "MPI's allreduce aborts at large messages with a remote access error. The third line of"
                + " the kernel's CQE dump ends with 8813: vendor code 0x88 and syndrome 0x13."
                + " SPDK's target logs the same dump when its client is stopped; in nbs a client"
                + " freed buffers that the server still read.",
            new Story(
                "The memory of a rendezvous must stay registered until the reader says that it has"
                    + " read. Here the owner deregisters it first, so no key has the index of the"
                    + " rkey when the READ arrives.",
                "Deregister memory only after the peer has sent a message that it has finished."
                    + " Wait for this message when a connection ends, too."),
            List.of("rkey 0x", "was the region closed?"),
            MemoryExhibits::freedTooEarly,
            MemoryExhibits::freedAfterwards),
        Exhibit.of(
            "disni-59",
            "an offset is added to the address, and the length stays",
            List.of("zrlio/disni#59"),
            "RDMA WRITEs to an offset of a remote buffer do not arrive. A maintainer asks whether"
                + " the application looks at the status of its completions.",
            new Story(
                "The range of a request is its address and its length. If an offset is added to the"
                    + " address, the length of the whole buffer leaves the region, and nothing is"
                    + " written.",
                "If you add an offset to the address, subtract it from the length. Check the status"
                    + " of each completion."),
            List.of("byte_count", "reaches outside the region of rkey 0x"),
            KeyMishaps::beyondTheEnd,
            MemoryExhibits::withinTheRegion),
        Exhibit.of(
            "copyrpc-window",
            "a memory window whose WRITEs succeed and write nothing",
            List.of("namachan10777/copyrpc"),
            "The notes of copyrpc, a Rust project with its own driver for ConnectX: after a window"
                + " is bound, RDMA WRITE and READ with its rkey complete with success on a"
                + " ConnectX-7, and no data move. The region's own rkey works. The search took"
                + " days.",
            new Story(
                "klm_octowords counts units of 16 bytes and is a multiple of 4. One KLM is 16 bytes"
                    + " and needs 4 units, 48 bytes of which are padding. With 2, the device does"
                    + " not adopt the new translation, and the key maps no memory.",
                "Write 4 to klm_octowords and translations_octword_size for one entry."),
            List.of("klm_octowords"),
            WindowMishaps::octowords,
            MemoryExhibits::paddedWindow),
        Exhibit.of(
            "copyrpc-receive-doorbell",
            "a receive is posted, and its doorbell record is not written",
            List.of("namachan10777/copyrpc"),
            "The notes of copyrpc, a Rust project with its own driver for ConnectX: a test of SEND"
                + " with invalidate waits for a completion until it times out.",
            new Story(
                "The device may use a receive when the counter in the doorbell record includes it."
                    + " Receives have no doorbell register: to ring for a receive means to write"
                    + " this counter, and nothing else notifies the device.",
                "Write the counter after each batch of receives."),
            List.of("posted receive requests are not in the doorbell record"),
            DoorbellMishaps::receive,
            MemoryExhibits::receiveCounted),
        Exhibit.of(
            "libgdsync-43",
            "a datagram's receive has no room for the network header",
            List.of("gpudirect/libgdsync#43", "linux-rdma/rdma-core#462"),
            "A reader of an example asks why its receive buffers have 40 bytes more than the"
                + " message; without them, the application waits forever. rdma-core's own ping-pong"
                + " compared data at the wrong offset.",
            new Story(
                "The first 40 bytes of each UD receive are for the network header, and the message"
                    + " follows. A receive of the message's size is 40 bytes too short.",
                "Post receives with 40 bytes more, and read the message at offset 40."),
            List.of("the network header adds 40 bytes"),
            MemoryExhibits::noRoomForTheHeader,
            MemoryExhibits::roomForTheHeader),
        Exhibit.of(
            "ucx-823",
            "the result of an atomic is swapped",
            List.of("openucx/ucx#823"),
            "64-bit atomics are broken on ConnectX-4. The first fix removed the byte swap of the"
                + " result.",
            new Story(
                "Operands in the WQE are big-endian. The result in the requester's memory is an"
                    + " integer in host byte order, and an application that swaps it reads another"
                    + " number.",
                "Read the result as it is, if the device says that it has atomics in host order"
                    + " (atomic_req_8B_endianness_mode)."),
            List.of("host byte order"),
            MessageMishaps::atomicByteOrder,
            MemoryExhibits::atomicAsItIs));
  }

  private static void read(Pair pair, MemoryRegion region) {
    pair.left()
        .queuePair()
        .read(region.address(), region.rkey())
        .scatter(pair.left().region(), 0, BYTES)
        .signaled(0);
  }

  private static List<Finding> freedTooEarly(Scene scene) throws InterruptedException {
    Pair pair = scene.stage().pair();
    MemoryRegion region = scene.stage().memory(BYTES);
    read(pair, region);
    scene.wrote("when the READ arrives, its memory", "no longer registered", "registered");
    scene.wroteRequest(pair.left());
    region.close();
    pair.left().queuePair().ringDoorbell();
    return scene.refusal(
        pair.left(), CompletionStatus.REMOTE_ACCESS_ERROR, AsyncEvent.Type.WQ_ACCESS_ERROR);
  }

  private static String freedAfterwards(Scene scene) {
    Pair pair = scene.stage().pair();
    MemoryRegion region = scene.stage().memory(BYTES);
    Place owner = new Place(pair.right().completions(), region);
    owner.fill(0, BYTES, SEED);
    read(pair, region);
    pair.left().ringAndAwait();
    region.close();
    pair.left().expect(0, BYTES, SEED);
    return "a READ of %d bytes has the right data, and the memory is deregistered after it"
        .formatted(BYTES);
  }

  private static String withinTheRegion(Scene scene) {
    Pair pair = scene.stage().pair();
    Side left = pair.left();
    Side right = pair.right();
    int half = BYTES / 2;
    long last = right.segment().byteSize() - half;
    left.fill(0, half, SEED);
    left.queuePair().write(right.remote(last)).gather(left.region(), 0, half).signaled(0);
    left.ringAndAwait();
    right.expect(last, half, SEED);
    return "a WRITE of %d bytes arrives at the end of the region".formatted(half);
  }

  private static String paddedWindow(Scene scene) {
    Pair pair = scene.stage().pair();
    MemoryRegion region = scene.stage().memory(BYTES);
    MemoryWindow window = scene.stage().domain().allocateWindow(WindowType.TYPE_2);
    int rkey =
        pair.right().queuePair().bind(window, region, 0, BYTES, WindowSteps.RIGHTS).signaled(0);
    pair.right().ringAndAwait();
    Side left = pair.left();
    left.fill(0, BYTES, SEED);
    left.queuePair().write(region.address(), rkey).gather(left.region(), 0, BYTES).signaled(0);
    left.ringAndAwait();
    new Place(pair.right().completions(), region).expect(0, BYTES, SEED);
    return "a WRITE of %d bytes through the window arrives".formatted(BYTES);
  }

  private static String receiveCounted(Scene scene) {
    Pair pair = scene.stage().pair();
    pair.right().postReceive(0, 0, BYTES);
    Side left = pair.left();
    left.fill(0, BYTES, SEED);
    left.send(BYTES);
    left.await();
    pair.right().await();
    pair.right().expect(0, BYTES, SEED);
    return "a SEND of %d bytes arrives".formatted(BYTES);
  }

  /** Sends a datagram to a receive of {@code receiveBytes} bytes. */
  private static Place datagram(Scene scene, int receiveBytes) {
    Datagrams datagrams = Datagrams.of(scene, receiveBytes);
    datagrams.left().fill(0, BYTES, SEED);
    datagrams.send(BYTES);
    return datagrams.right();
  }

  private static List<Finding> noRoomForTheHeader(Scene scene) {
    Place right = datagram(scene, BYTES);
    scene.wrote(
        "byte_count in the receive's data segment", BYTES, UdQueuePair.HEADER_BYTES + BYTES);
    Completion done = right.awaitAny();
    Check.equal("the status", CompletionStatus.LOCAL_LENGTH_ERROR, done.status());
    return List.of(Finding.completion(RESPONDER, done));
  }

  private static String roomForTheHeader(Scene scene) {
    Place right = datagram(scene, UdQueuePair.HEADER_BYTES + BYTES);
    right.await();
    right.expect(UdQueuePair.HEADER_BYTES, BYTES, SEED);
    return "a datagram of %d bytes arrives at offset %d".formatted(BYTES, UdQueuePair.HEADER_BYTES);
  }

  private static String atomicAsItIs(Scene scene) {
    Pair pair = scene.stage().pair();
    Side left = pair.left();
    for (long expected = 0; expected < 2; expected++) {
      left.queuePair().fetchAndAdd(pair.right().remote(0), 1).scatter(left.region(), 0).signaled(0);
      left.ringAndAwait();
      Check.equal("the result", expected, left.segment().get(ValueLayout.JAVA_LONG, 0));
    }
    return "two fetch-and-adds return 0 and 1";
  }
}
