package dev.bluebell.cli.demo;

import static dev.bluebell.cli.demo.BigEndian.INT;
import static dev.bluebell.cli.demo.Finding.REQUESTER;

import dev.bluebell.hca.doorbell.DoorbellRecord;
import java.util.ArrayList;
import java.util.List;

/** Doorbells that the device ignores or never sees. */
final class DoorbellExhibits {
  private static final int LANES = 4;
  private static final int BYTES = 64;

  private DoorbellExhibits() {}

  static List<Exhibit> all() {
    return List.of(
        Exhibit.of(
            "rocm-xio-100-doorbell-record",
            "the send counter goes to the receive doorbell record",
            List.of("ROCm/rocm-xio#100"),
            "A GPU posts requests, writes the doorbell record and rings the register, and the NIC"
                + " silently does nothing.",
            new Story(
                "A doorbell record has two counters of 4 bytes: the receive counter"
                    + " (MLX5_RCV_DBR, offset 0) and the send counter (MLX5_SND_DBR, offset 4)."
                    + " The application was given the address of the first and wrote its send"
                    + " counter there. The send counter stays 0, so there is nothing to send.",
                "Write the send counter to the second word, as &dbrec[MLX5_SND_DBR]."),
            List.of("was the send counter written there?"),
            DoorbellExhibits::receiveRecord,
            DoorbellExhibits::sendRecord),
        Exhibit.of(
            "rocshmem-364",
            "the halves of the doorbell word are swapped",
            List.of("ROCm/rocSHMEM#364"),
            "A review of a pull request notes that a constructor joins the two words of a doorbell"
                + " in the wrong order for a little-endian processor.",
            new Story(
                "The doorbell is a copy of the first 8 bytes of the last WQE: opcode and index,"
                    + " then QPN and ds. With its halves swapped, opcode and index are read as QPN"
                    + " and ds. The device looks for a queue pair that does not exist, and ignores"
                    + " the doorbell.",
                "Copy the 8 bytes from the WQE with one store, and do no arithmetic on them."),
            List.of("names QP 0x0 (qpn in bytes 4–6)", "halves are swapped"),
            DoorbellExhibits::swappedHalves,
            DoorbellExhibits::sendRecord),
        Exhibit.of(
            "mori-428",
            "one store to a register hides those of other queue pairs",
            List.of("ROCm/mori#428"),
            "A barrier hangs: each lane of a GPU rings the doorbell of its own queue pair in the"
                + " same instruction. One peer gets its signal, the others wait forever.",
            new Story(
                "The register is in write-combining memory. Stores that are issued together can"
                    + " merge into one, and the device sees the last doorbell only. The requests of"
                    + " the other queue pairs are counted in their doorbell records, which the"
                    + " device does not read without a doorbell.",
                "Ring for one queue pair after the other, and order the stores, as the project's"
                    + " fix does."),
            List.of("for which no doorbell has come"),
            DoorbellExhibits::mergedDoorbells,
            DoorbellExhibits::orderedDoorbells));
  }

  private static void ring(Scene scene, Pair pair) {
    DoorbellMishaps.ring(scene, pair.left(), DoorbellMishaps.doorbell(scene, pair.left(), 0));
  }

  private static List<Finding> receiveRecord(Scene scene) {
    Pair pair = scene.stage().pair();
    pair.postWrite(BYTES);
    scene.places(pair.left()).record().set(INT, DoorbellRecord.RECEIVE, 1);
    scene.wrote("the word of the doorbell record that counts the request", 0, 1);
    ring(scene, pair);
    return List.of(DoorbellMishaps.explained(scene, pair.left()));
  }

  private static String sendRecord(Scene scene) {
    return transfer(scene, scene.stage().pair());
  }

  private static String transfer(Scene scene, Pair pair) {
    return Museum.transfer(
        scene,
        pair,
        () -> {
          DoorbellMishaps.writeRecord(scene, pair.left(), 1);
          ring(scene, pair);
        });
  }

  private static List<Finding> swappedHalves(Scene scene) {
    Pair pair = scene.stage().pair();
    pair.postWrite(BYTES);
    DoorbellMishaps.writeRecord(scene, pair.left(), 1);
    long right = DoorbellMishaps.doorbell(scene, pair.left(), 0);
    long swapped = Long.rotateLeft(right, Integer.SIZE);
    scene.wrote("the doorbell", ManagedMishaps.bytes(swapped), ManagedMishaps.bytes(right));
    DoorbellMishaps.ring(scene, pair.left(), swapped);
    RawPoller poller = new RawPoller(scene.ring(pair.left().completions()));
    return List.of(
        scene.finding(
            "device",
            poller.sees(0)
                ? "the doorbell is ignored; here the request runs all the same"
                : "the doorbell is ignored, and the request does not run",
            Finding.SILENCE));
  }

  private static List<Pair> lanes(Scene scene) {
    scene.loseDoorbells();
    List<Pair> lanes = new ArrayList<>();
    for (int i = 0; i < LANES; i++) {
      lanes.add(scene.stage().pair());
    }
    return lanes;
  }

  private static List<Finding> mergedDoorbells(Scene scene) {
    List<Pair> lanes = lanes(scene);
    for (Pair lane : lanes) {
      lane.postWrite(BYTES);
      DoorbellMishaps.writeRecord(scene, lane.left(), 1);
    }
    scene.wrote("the number of doorbells that reach the device", 1, LANES);
    ring(scene, lanes.getLast());
    RawPoller last = new RawPoller(scene.ring(lanes.getLast().left().completions()));
    Check.that(last.sees(0), "the last lane did not complete");
    List<String> why = new ArrayList<>();
    for (Pair lane : lanes.subList(0, LANES - 1)) {
      why.add(scene.why(lane.left()));
    }
    return List.of(
        new Finding(
            REQUESTER, "1 of %d queue pairs completes".formatted(LANES), why, Finding.SILENCE));
  }

  private static String orderedDoorbells(Scene scene) {
    for (Pair lane : lanes(scene)) {
      transfer(scene, lane);
    }
    return "a WRITE of each of %d queue pairs arrives".formatted(LANES);
  }
}
