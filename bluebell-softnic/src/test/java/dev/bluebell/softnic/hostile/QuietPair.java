package dev.bluebell.softnic.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.MkeyCommands.CreateMkeyIn;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawQpPlan;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * A well-behaved connection during an attack: on the attacker's UAR page, but with its own
 * protection domain and completion queues.
 */
final class QuietPair {
  private static final int BYTES = 512;

  private final Random random;
  private final HcaObject domain;
  private final RawMemory from;
  private final RawMemory to;
  private final RawCq sends;
  private final RawCq receives;
  private final RawPair pair;

  QuietPair(Rig rig, long seed) {
    random = new Random(seed);
    domain = rig.nic().allocateProtectionDomain();
    from = rig.memory(domain, BYTES, HcaAccess.ALL);
    to = rig.memory(domain, BYTES, HcaAccess.ALL);
    sends = rig.cq(4);
    receives = rig.cq(4);
    pair = RawPair.connect(end(rig), end(rig), new Settings());
  }

  private RawQp end(Rig rig) {
    return rig.qp(
        new RawQpPlan(sends)
            .receiveCompletions(receives)
            .change(context -> context.set(Qpc.PD, domain.number())));
  }

  /** Posts a WRITE of one half of its memory and a SEND of the other. */
  void post() {
    byte[] fresh = new byte[BYTES];
    random.nextBytes(fresh);
    from.put(0, fresh);
    pair.right().receive(to.address(BYTES / 2), BYTES / 2, to.key());
    pair.left().post(Wqe.write(to, 0).data(from, 0, BYTES / 2));
    pair.left().post(Wqe.send().data(from, BYTES / 2, BYTES / 2));
  }

  /** Expects that the requests posted before the device last rested are complete and correct. */
  void expectDone() {
    int last = pair.left().index() - 1 & 0xffff;
    assertThat(sends.poll(2)).allSatisfy(cqe -> assertThat(cqe.isError()).isFalse());
    receives.pollOne().require(CqeOpcode.RESP_SEND, last / 2 & 0xffff);
    assertThat(to.bytes()).isEqualTo(from.bytes());
  }

  /** Expects that its objects exist unchanged. */
  void expectAlive() {
    assertThat(sends.query().getInt(Cqc.STATUS)).isZero();
    assertThat(receives.query().getInt(Cqc.STATUS)).isZero();
    assertThat(pair.left().state()).isEqualTo(QpState.RTS);
    assertThat(pair.right().state()).isEqualTo(QpState.RTS);
  }

  void expectCanaries() {
    from.expectCanaries();
    to.expectCanaries();
    sends.expectCanaries();
    receives.expectCanaries();
    pair.left().expectCanaries();
    pair.right().expectCanaries();
  }

  /**
   * True when a command may legitimately disturb this pair, because it names this pair's queue
   * pairs or keys, its queues' memory, or its completion queues.
   */
  boolean isNamedBy(byte[] bytes) {
    View command = View.over(bytes);
    int number = command.getInt(ObjectKind.NUMBER);
    View cq = command.at(CreateCqIn.CQ_CONTEXT);
    View qp = command.at(CreateQpIn.QPC);
    return switch (command.getInt(CmdIn.OPCODE)) {
      case CommandOpcode.CREATE_CQ ->
          umems().contains(command.getInt(CreateCqIn.CQ_UMEM_ID))
              || umems().contains(cq.getInt(Cqc.DBR_UMEM_ID));
      case CommandOpcode.CREATE_QP ->
          umems().contains(command.getInt(CreateQpIn.WQ_UMEM_ID))
              || umems().contains(qp.getInt(Qpc.DBR_UMEM_ID))
              || completionQueues().contains(qp.getInt(Qpc.CQN_SND))
              || completionQueues().contains(qp.getInt(Qpc.CQN_RCV));
      case CommandOpcode.CREATE_MKEY -> umems().contains(command.getInt(CreateMkeyIn.MKEY_UMEM_ID));
      case CommandOpcode.DESTROY_MKEY -> number == from.key() >>> 8 || number == to.key() >>> 8;
      case CommandOpcode.DESTROY_QP,
          CommandOpcode.RST2INIT_QP,
          CommandOpcode.INIT2INIT_QP,
          CommandOpcode.INIT2RTR_QP,
          CommandOpcode.RTR2RTS_QP,
          CommandOpcode.RTS2RTS_QP,
          CommandOpcode.SQD2RTS_QP,
          CommandOpcode.SQERR2RTS_QP,
          CommandOpcode.QP_2ERR,
          CommandOpcode.QP_2RST ->
          number == pair.left().number() || number == pair.right().number();
      default -> false;
    };
  }

  /** Numbers of its objects, for an attacker to name. */
  List<Integer> numbers() {
    return List.of(
        domain.number(),
        sends.number(),
        receives.number(),
        pair.left().number(),
        pair.right().number(),
        from.key() >>> 8);
  }

  private Set<Integer> completionQueues() {
    return Set.of(sends.number(), receives.number());
  }

  private Set<Integer> umems() {
    return Set.of(
        sends.command().getInt(CreateCqIn.CQ_UMEM_ID),
        receives.command().getInt(CreateCqIn.CQ_UMEM_ID),
        pair.left().command().getInt(CreateQpIn.WQ_UMEM_ID),
        pair.right().command().getInt(CreateQpIn.WQ_UMEM_ID));
  }
}
