package dev.bluebell.cli.demo;

import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.cqe.CqeOpcode;
import java.util.List;
import java.util.stream.Stream;

/** The museum: failures from the public record that took their finders days. */
final class Museum {
  private static final int BYTES = 64;
  private static final int SEED = 90;

  private Museum() {}

  static List<Exhibit> all() {
    return Stream.of(
            PollerExhibits.all(),
            DoorbellExhibits.all(),
            RequestExhibits.all(),
            ConnectionExhibits.all(),
            MemoryExhibits.all())
        .flatMap(List::stream)
        .toList();
  }

  /** Writes from left to right with the driver's own doorbell and compares the data. */
  static String transfer(Pair pair) {
    fillAndPost(pair);
    pair.left().ringAndAwait();
    return compared(pair);
  }

  /**
   * Writes from left to right and compares the data.
   *
   * @param ring rings the doorbell of the request without the driver
   */
  static String transfer(Scene scene, Pair pair, Runnable ring) {
    fillAndPost(pair);
    ring.run();
    RawPoller poller = new RawPoller(scene.ring(pair.left().completions()));
    scene.until("the WRITE", () -> poller.sees(0));
    Check.equal("the opcode", CqeOpcode.REQ, Cqe.opcode(poller.last(0)));
    return compared(pair);
  }

  private static void fillAndPost(Pair pair) {
    pair.left().fill(0, BYTES, SEED);
    pair.postWrite(BYTES);
  }

  private static String compared(Pair pair) {
    pair.right().expect(0, BYTES, SEED);
    return "a WRITE of %d bytes arrives".formatted(BYTES);
  }
}
