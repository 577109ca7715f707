package dev.bluebell.cli.demo;

import static dev.bluebell.cli.demo.Finding.REQUESTER;

import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpOptionalParameter;
import dev.bluebell.hca.command.QpTransitions.Init2rtrQpIn;
import dev.bluebell.hca.command.QpTransitions.Rst2initQpIn;
import dev.bluebell.verbs.AsyncEvent;
import dev.bluebell.verbs.Completion;
import dev.bluebell.verbs.CompletionStatus;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.QueuePairEndpoint;
import java.util.List;

/** Queue pairs that were connected with a wrong attribute. */
final class ConnectionExhibits {
  private static final int SMALL_MTU = 1024;
  private static final int LARGE_MTU = 4096;
  private static final int READS = 16;
  private static final int SERVED = 8;
  private static final int BYTES = 64;
  private static final int SEED = 93;

  private ConnectionExhibits() {}

  static List<Exhibit> all() {
    return List.of(
        Exhibit.of(
            "nccl-1957",
            "a hard-coded path MTU of 4096",
            List.of(
                "NVIDIA/nccl#1957",
                "NVIDIA/nccl#2255",
                "autoscriptlabs/nccl-mesh-plugin#12",
                "tensorflow/tensorflow#9432"),
            "On machines with an Ethernet MTU of 1500, an example of NCCL hangs; a packet capture"
                + " shows packets of 4096 bytes. With the same constant, TensorFlow reported"
                + " exceeded retries, and the transition to RTR failed in nccl-mesh-plugin.",
            new Story(
                "A RoCE packet carries up to one path MTU of data and some 70 bytes of headers. A"
                    + " link with an MTU of 1500 carries a path MTU of 1024, and active_mtu says"
                    + " so. A constant of 4096 works wherever the network carries jumbo frames, as"
                    + " the network of the code's authors did.",
                "Read active_mtu of both ports and connect with the smaller one."),
            List.of("4096", "1024"),
            ConnectionExhibits::constantMtu,
            ConnectionExhibits::activeMtu),
        Exhibit.of(
            "devx-25",
            "a hand-written RDMA WRITE that does nothing",
            List.of("Mellanox/devx#25"),
            "An application writes the WQE of an RDMA WRITE and rings its doorbell, as DevX's own"
                + " test does for a SEND. The SEND works, the WRITE does not. The thread has no"
                + " answer.",
            new Story(
                "The WQE is right. The test sets rwe in the context of INIT2RTR_QP, but leaves"
                    + " opt_param_mask 0. The device takes rre, rwe and rae from that command only"
                    + " if the mask selects them, so peers may send but not write.",
                "Set rwe in RST2INIT_QP, or set MLX5_QP_OPTPAR_RWE (0x08) in opt_param_mask of"
                    + " INIT2RTR_QP."),
            List.of("rwe", "opt_param_mask is 0x0"),
            ConnectionExhibits::rightWithoutMask,
            ConnectionExhibits::rightWithMask),
        Exhibit.of(
            "spdk-2261",
            "more READs outstanding than the peer serves",
            List.of("spdk/spdk#2261"),
            "An NVMe target reads from an initiator that agreed to 16 READs at a time. The"
                + " initiator answers the 9th with a NAK for an invalid request.",
            new Story(
                "The responder keeps state for each READ that it serves. The two ends agreed on 16"
                    + " when they connected, but the responder's queue pair was created for 8.",
                "Announce the limit that the queue pair was created with, and let the requester use"
                    + " the smaller of the two limits."),
            List.of("log_rra_max"),
            ConnectionExhibits::tooManyReads,
            ConnectionExhibits::agreedReads));
  }

  private static List<Finding> constantMtu(Scene scene) {
    scene.limitLink(SMALL_MTU);
    scene.wrote("mtu in the context of INIT2RTR_QP", LARGE_MTU, SMALL_MTU);
    try {
      scene.stage().pair(BYTES, ConnectOptions.DEFAULT.withPathMtu(LARGE_MTU));
    } catch (HcaException | IllegalArgumentException e) {
      return List.of(Finding.refusal(e));
    }
    throw new WorkFailed("the queue pair was connected");
  }

  private static String activeMtu(Scene scene) {
    scene.limitLink(SMALL_MTU);
    int active = scene.device().port(1).activeMtu();
    Pair pair = scene.stage().pair(LARGE_MTU, ConnectOptions.DEFAULT.withPathMtu(active));
    return "active_mtu is %d; %s".formatted(active, Museum.transfer(pair));
  }

  /** Connects two ends whose rights are set by INIT2RTR_QP alone. */
  private static Pair rightsAtRtr(Scene scene, int mask) {
    scene.change(CommandOpcode.RST2INIT_QP, in -> in.at(Rst2initQpIn.QPC).set(Qpc.RWE, false));
    scene.change(CommandOpcode.INIT2RTR_QP, in -> in.set(Init2rtrQpIn.OPT_PARAM_MASK, mask));
    return scene.stage().pair();
  }

  private static List<Finding> rightWithoutMask(Scene scene) throws InterruptedException {
    Pair pair = rightsAtRtr(scene, 0);
    scene.wrote("opt_param_mask of INIT2RTR_QP", 0, "0x%02x".formatted(QpOptionalParameter.RWE));
    pair.right().postReceive(0, 0, BYTES);
    pair.left().send(BYTES);
    pair.left().await();
    pair.postWrite(BYTES);
    pair.left().queuePair().ringDoorbell();
    return scene.refusal(
        pair.left(), CompletionStatus.REMOTE_INVALID_REQUEST, AsyncEvent.Type.WQ_INVALID_REQUEST);
  }

  private static String rightWithMask(Scene scene) {
    return Museum.transfer(rightsAtRtr(scene, QpOptionalParameter.RWE));
  }

  /** Posts READs up to the limit of outstanding READs that the left end assumes. */
  private static Pair read(Scene scene, int announced) {
    scene.travel();
    Side left = scene.stage().side(READS * BYTES);
    Side right = scene.stage().side(READS * BYTES, builder -> builder.responderResources(SERVED));
    QueuePairEndpoint peer = right.queuePair().endpoint();
    left.queuePair()
        .connect(
            new QueuePairEndpoint(
                peer.gid(), peer.lid(), peer.qpn(), peer.psn(), peer.mtu(), announced));
    right.queuePair().connect(left.queuePair().endpoint());
    right.fill(0, READS * BYTES, SEED);
    for (int i = 0; i < READS; i++) {
      long offset = (long) i * BYTES;
      left.queuePair().read(right.remote(offset)).scatter(left.region(), offset, BYTES).signaled(i);
    }
    left.queuePair().ringDoorbell();
    return new Pair(left, right);
  }

  private static List<Finding> tooManyReads(Scene scene) {
    Pair pair = read(scene, READS);
    scene.wrote("the number of READs that the requester has outstanding", READS, SERVED);
    Completion done = pair.left().awaitAny();
    while (done.status() == CompletionStatus.SUCCESS) {
      done = pair.left().awaitAny();
    }
    Check.equal("the status", CompletionStatus.REMOTE_INVALID_REQUEST, done.status());
    Check.equal("the READ that fails", (long) SERVED, done.id());
    return List.of(Finding.completion(REQUESTER, done));
  }

  private static String agreedReads(Scene scene) {
    Pair pair = read(scene, SERVED);
    for (int i = 0; i < READS; i++) {
      pair.left().await();
    }
    pair.left().expect(0, READS * BYTES, SEED);
    return "%d READs complete, at most %d at a time, with the right data".formatted(READS, SERVED);
  }
}
