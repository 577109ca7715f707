package dev.bluebell.softnic.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaAccess;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.HcaUmem;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapIn;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandHeaders.CmdOut;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.CqCommands.ModifyCqIn;
import dev.bluebell.hca.command.DomainCommands.AllocPdIn;
import dev.bluebell.hca.command.DomainCommands.AllocXrcdIn;
import dev.bluebell.hca.command.MemoryCommands.DeallocMemicIn;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.command.QpCommands.QueryQpIn;
import dev.bluebell.hca.cqe.CqeOpcode;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.Heard;
import dev.bluebell.softnic.rig.RawCq;
import dev.bluebell.softnic.rig.RawKey;
import dev.bluebell.softnic.rig.RawMemic;
import dev.bluebell.softnic.rig.RawMemory;
import dev.bluebell.softnic.rig.RawPair;
import dev.bluebell.softnic.rig.RawPool;
import dev.bluebell.softnic.rig.RawQp;
import dev.bluebell.softnic.rig.RawXrcSrq;
import dev.bluebell.softnic.rig.RawXrq;
import dev.bluebell.softnic.rig.Rig;
import dev.bluebell.softnic.rig.Settings;
import dev.bluebell.softnic.rig.Wqe;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Commands of every kind, many of them spoiled, in any order and under traffic: each gets an answer
 * or a refusal, only registered memory is touched, and a connection that no command named keeps
 * working. The seed of a failed run is in its name.
 */
class HostileCommandsTest {
  private static final int COMMANDS = 2500;
  private static final int COMMANDS_PER_ROUND = 8;
  private static final int MEMORY_BYTES = 1 << 14;
  private static final int STEPS_TO_REST = 20_000;
  private static final int HEADER_BYTES = 16;
  private static final int MOST_QUEUE_PAIRS = 12;

  /** Those at the end that take no attributes. */
  private static final int OTHER_TRANSITIONS = 5;

  private static final int[] OPCODES = {
    CommandOpcode.QUERY_HCA_CAP,
    CommandOpcode.QUERY_ADAPTER,
    CommandOpcode.QUERY_SPECIAL_CONTEXTS,
    CommandOpcode.QUERY_ROCE_ADDRESS,
    CommandOpcode.ALLOC_PD,
    CommandOpcode.DEALLOC_PD,
    CommandOpcode.ALLOC_MEMIC,
    CommandOpcode.DEALLOC_MEMIC,
    CommandOpcode.CREATE_MKEY,
    CommandOpcode.QUERY_MKEY,
    CommandOpcode.DESTROY_MKEY,
    CommandOpcode.CREATE_CQ,
    CommandOpcode.QUERY_CQ,
    CommandOpcode.MODIFY_CQ,
    CommandOpcode.DESTROY_CQ,
    CommandOpcode.CREATE_RMP,
    CommandOpcode.QUERY_RMP,
    CommandOpcode.MODIFY_RMP,
    CommandOpcode.DESTROY_RMP,
    CommandOpcode.CREATE_XRQ,
    CommandOpcode.QUERY_XRQ,
    CommandOpcode.ARM_XRQ,
    CommandOpcode.DESTROY_XRQ,
    CommandOpcode.ALLOC_XRCD,
    CommandOpcode.DEALLOC_XRCD,
    CommandOpcode.CREATE_XRC_SRQ,
    CommandOpcode.QUERY_XRC_SRQ,
    CommandOpcode.ARM_XRC_SRQ,
    CommandOpcode.DESTROY_XRC_SRQ,
    CommandOpcode.CREATE_QP,
    CommandOpcode.QUERY_QP,
    CommandOpcode.DESTROY_QP,
    CommandOpcode.RST2INIT_QP,
    CommandOpcode.INIT2INIT_QP,
    CommandOpcode.INIT2RTR_QP,
    CommandOpcode.RTR2RTS_QP,
    CommandOpcode.RTS2RTS_QP,
    CommandOpcode.SQD2RTS_QP,
    CommandOpcode.SQERR2RTS_QP,
    CommandOpcode.QP_2ERR,
    CommandOpcode.QP_2RST
  };

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("dev.bluebell.softnic.hostile.Seeds#all")
  @Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void everyCommandIsAnsweredAndTheQuietConnectionGoesOn(long seed) {
    new Attack(seed).run();
  }

  private static final class Attack {
    private final Random random;
    private final Rig rig = Rigs.open();
    private final QuietPair quiet;
    private final RawMemory memory = rig.memory(MEMORY_BYTES).fill(1);
    private final RawMemory readOnly = rig.memory(MEMORY_BYTES, HcaAccess.REMOTE_READ).fill(2);
    private final byte[] readOnlyBytes = readOnly.bytes();
    private final RawMemic memic = new RawMemic(rig, 256);
    private final List<HcaUmem> umems = new ArrayList<>();
    private final List<RawCq> cqs = new ArrayList<>();
    private final List<RawPool> pools = new ArrayList<>();
    private final List<RawQp> queuePairs = new ArrayList<>();
    private final List<RawXrcSrq> srqs = new ArrayList<>();
    private final List<RawQp> initiators = new ArrayList<>();
    private final List<RawQp> targets = new ArrayList<>();
    private final List<HcaObject> handles = new ArrayList<>();
    private final List<Integer> numbers = new ArrayList<>();
    private final RawXrq xrq;
    private int answers;
    private int refusals;

    Attack(long seed) {
      random = new Random(seed);
      quiet = new QuietPair(rig, seed);
      pools.add(new RawPool(rig, false, 3));
      pools.add(new RawPool(rig, true, 3));
      cqs.add(rig.cq(5));
      cqs.add(rig.cq(5));
      xrq = new RawXrq(rig, rig.cq(5), 3);
      connect();
      extend();
    }

    void run() {
      for (int i = 0; i < COMMANDS; i++) {
        if (i % COMMANDS_PER_ROUND == 0) {
          traffic();
          quiet.post();
        }
        strike();
        if (i % COMMANDS_PER_ROUND == COMMANDS_PER_ROUND - 1) {
          rig.settle(STEPS_TO_REST);
          quiet.expectDone();
          rig.clock().advance(1L << random.nextInt(28));
        }
      }
      // Both must have been frequent, or the attack proves nothing.
      assertThat(answers).isGreaterThan(COMMANDS / 10);
      assertThat(refusals).isGreaterThan(COMMANDS / 10);
      rig.settle(STEPS_TO_REST);
      quiet.expectAlive();
      expectNothingElseTouched();
      expectService();
      rig.close();
    }

    // ---- what the commands are about

    /** Connects two more queue pairs, if completion queues are left. */
    private void connect() {
      try {
        RawQp left = rig.qp(any(cqs));
        RawQp right = rig.qp(any(cqs));
        queuePairs.add(left);
        queuePairs.add(right);
        RawPair.connect(left, right, new Settings().timeout(1 + random.nextInt(4)));
      } catch (HcaException destroyed) {
        cqs.add(rig.cq(5));
      }
      if (queuePairs.size() > MOST_QUEUE_PAIRS) {
        queuePairs.removeFirst().expectCanaries();
      }
    }

    /** Adds a shared receive queue of XRC in a domain of its own, and a connection to it. */
    private void extend() {
      HcaObject xrcd = RawXrcSrq.domain(rig);
      RawXrcSrq srq = new RawXrcSrq(rig, xrcd);
      RawPair pair =
          RawPair.connect(
              RawXrcSrq.initiator(rig),
              RawXrcSrq.target(rig, xrcd),
              new Settings().timeout(1 + random.nextInt(4)));
      srqs.add(srq);
      initiators.add(pair.left());
      targets.add(pair.right());
      if (srqs.size() > MOST_QUEUE_PAIRS) {
        srqs.removeFirst().expectCanaries();
        initiators.removeFirst().expectCanaries();
        targets.removeFirst().expectCanaries();
      }
    }

    private void extendedTraffic() {
      if (random.nextInt(8) == 0) {
        extend();
      }
      RawXrcSrq srq = any(srqs);
      srq.receive(memory.address(0), MEMORY_BYTES, memory.key());
      int bytes = random.nextInt(MEMORY_BYTES);
      Wqe request =
          random.nextBoolean()
              ? Wqe.send().data(memory, 0, bytes)
              : Wqe.read(readOnly, 0).data(memory, 0, bytes);
      any(initiators).post(request.xrc(srq.number()));
      srq.cq().poll();
    }

    private void traffic() {
      if (random.nextInt(4) == 0) {
        connect();
      }
      extendedTraffic();
      for (int i = 0; i < 4; i++) {
        RawQp qp = any(queuePairs);
        int offset = random.nextInt(MEMORY_BYTES / 2);
        int bytes = random.nextInt(MEMORY_BYTES / 2);
        switch (random.nextInt(5)) {
          case 0 -> qp.post(Wqe.send().data(memory, offset, bytes));
          case 1 -> qp.post(Wqe.write(memory, offset).data(readOnly, 0, bytes));
          case 2 -> qp.post(Wqe.read(readOnly, offset).data(memory, 0, bytes));
          case 3 -> qp.post(Wqe.fetchAndAdd(memory, offset & ~7, 1).data(memory, 0, 8));
          default -> qp.receive(memory.address(offset), bytes, memory.key());
        }
      }
      cqs.forEach(RawCq::poll);
    }

    private <T> T any(List<T> list) {
      return list.get(random.nextInt(list.size()));
    }

    /** A number that names an object, used to name one, or never will. */
    private int anyNumber() {
      return switch (random.nextInt(9)) {
        case 7 -> any(srqs).number();
        case 8 -> any(targets).number();
        case 0 -> any(queuePairs).number();
        case 1 -> any(cqs).number();
        case 2 -> any(pools).number();
        case 3 -> memory.key() >>> 8;
        case 4 -> any(quiet.numbers());
        case 5 -> numbers.isEmpty() ? 0 : any(numbers);
        default -> random.nextInt(1 << 24);
      };
    }

    // ---- the commands

    private View valid() {
      RawQp qp = any(queuePairs);
      RawCq cq = any(cqs);
      RawPool pool = any(pools);
      Settings settings = new Settings();
      return switch (random.nextInt(24)) {
        case 20 -> any(srqs).command();
        case 21 -> any(srqs).limit(random.nextInt(8));
        case 22 -> View.command(AllocXrcdIn.STRUCTURE, CommandOpcode.ALLOC_XRCD);
        case 23 -> any(random.nextBoolean() ? targets : initiators).command();
        case 0 -> cq.command();
        case 1 -> pool.command();
        case 2, 3 -> qp.command();
        case 4 -> RawKey.command(rig, anyUmem(), memory);
        case 5 -> pool.limit(random.nextInt(8));
        case 6 -> settings.toInit(qp.number());
        case 7 -> settings.toRtr(qp.number(), any(queuePairs).number());
        case 8 -> settings.toRts(qp.number());
        case 9 -> qp.transition(OPCODES[OPCODES.length - 1 - random.nextInt(OTHER_TRANSITIONS)]);
        case 10 ->
            View.command(QueryHcaCapIn.STRUCTURE, CommandOpcode.QUERY_HCA_CAP)
                .set(CmdIn.OP_MOD, random.nextInt(10));
        case 11 ->
            View.command(ModifyCqIn.STRUCTURE, CommandOpcode.MODIFY_CQ)
                .set(ModifyCqIn.CQN, cq.number());
        case 12 -> View.command(AllocPdIn.STRUCTURE, CommandOpcode.ALLOC_PD);
        case 15 -> RawMemic.command(64L * random.nextInt(100));
        case 18 -> xrq.command();
        case 16 -> memic.key(random.nextInt(300), random.nextInt(300));
        case 17 ->
            View.command(DeallocMemicIn.STRUCTURE, CommandOpcode.DEALLOC_MEMIC)
                .set(
                    DeallocMemicIn.MEMIC_START_ADDR,
                    RawMemic.BAR_START + 4096L * (1 + random.nextInt(20)))
                .set(DeallocMemicIn.MEMIC_SIZE, 64L * random.nextInt(100));
        // All of these have one layout: the opcode and a number.
        case 13 -> named(CommandOpcode.DESTROY_QP, qp.number());
        case 14 -> named(CommandOpcode.DESTROY_CQ, cq.number());
        default -> named(OPCODES[random.nextInt(OPCODES.length)], anyNumber());
      };
    }

    private static View named(int opcode, int number) {
      return View.command(QueryQpIn.STRUCTURE, opcode).set(ObjectKind.NUMBER, number);
    }

    private HcaUmem anyUmem() {
      if (umems.isEmpty() || random.nextInt(20) == 0) {
        umems.add(rig.nic().registerUmem(memory.segment()));
      }
      return any(umems);
    }

    private byte[] spoil(byte[] command) {
      byte[] spoiled = command.clone();
      switch (random.nextInt(8)) {
        case 0, 1 -> flip(spoiled, spoiled.length);
        case 2 -> flip(spoiled, Math.min(spoiled.length, 32));
        case 3 -> {
          return Arrays.copyOf(spoiled, random.nextInt(spoiled.length + 1));
        }
        case 4 -> {
          byte[] longer = new byte[spoiled.length + random.nextInt(300)];
          random.nextBytes(longer);
          System.arraycopy(spoiled, 0, longer, 0, spoiled.length);
          return longer;
        }
        case 5 -> View.over(spoiled).set(ObjectKind.NUMBER, anyNumber());
        case 6 ->
            View.over(spoiled)
                .set(
                    CmdIn.OPCODE,
                    random.nextBoolean()
                        ? OPCODES[random.nextInt(OPCODES.length)]
                        : random.nextInt(1 << 16));
        default -> {
          byte[] noise = new byte[random.nextInt(64)];
          random.nextBytes(noise);
          System.arraycopy(
              noise, 0, spoiled, HEADER_BYTES, Math.min(noise.length, spoiled.length - 16));
        }
      }
      return spoiled;
    }

    private void flip(byte[] bytes, int within) {
      for (int flips = 1 + random.nextInt(6); flips > 0; flips--) {
        bytes[random.nextInt(within)] ^= (byte) (1 << random.nextInt(8));
      }
    }

    private void strike() {
      byte[] command = valid().bytes();
      if (random.nextBoolean()) {
        command = spoil(command);
      }
      if (quiet.isNamedBy(command)) {
        return;
      }
      byte[] sent = command;
      switch (random.nextInt(8)) {
        case 0 -> answered(sent, () -> created(rig.nic().create(sent)));
        case 1 -> answered(sent, () -> rig.nic().execute(sent));
        case 2 -> {
          HcaObject handle = anyHandle();
          answered(sent, () -> handle.modify(sent));
        }
        case 3 -> {
          HcaObject handle = anyHandle();
          answered(sent, () -> handle.query(sent));
        }
        case 4 -> close();
        default -> answered(sent, () -> Rigs.command(rig.nic(), sent));
      }
    }

    private HcaObject anyHandle() {
      return handles.isEmpty() || random.nextBoolean() ? any(queuePairs).object() : any(handles);
    }

    private byte[] created(HcaObject object) {
      handles.add(object);
      return object.output();
    }

    /** Closes an object that may be in use, already closed, or destroyed behind its handle. */
    private void close() {
      try {
        switch (random.nextInt(3)) {
          case 0 -> anyHandle().close();
          case 1 -> anyUmem().close();
          default -> any(cqs).object().close();
        }
        answers++;
      } catch (HcaException refusal) {
        refused(refusal);
      }
    }

    private void answered(byte[] command, Supplier<byte[]> call) {
      try {
        View output = View.over(call.get());
        assertThat(output.bytes()).hasSizeGreaterThanOrEqualTo(HEADER_BYTES);
        assertThat(output.getInt(CmdOut.STATUS)).isEqualTo(CommandStatus.OK);
        numbers.add(output.getInt(ObjectKind.NUMBER));
        answers++;
      } catch (HcaException refusal) {
        refused(refusal);
      } catch (RuntimeException crash) {
        throw new AssertionError(
            "the device crashed at " + HexFormat.of().formatHex(command), crash);
      }
    }

    private void refused(HcaException refusal) {
      Heard.add(refusal.getMessage());
      assertThat(refusal.getMessage()).isNotBlank();
      refusals++;
    }

    // ---- the end

    private void expectNothingElseTouched() {
      assertThat(readOnly.bytes()).isEqualTo(readOnlyBytes);
      memory.expectCanaries();
      memic.expectCanaries();
      readOnly.expectCanaries();
      cqs.forEach(RawCq::expectCanaries);
      pools.forEach(RawPool::expectCanaries);
      srqs.forEach(RawXrcSrq::expectCanaries);
      initiators.forEach(RawQp::expectCanaries);
      queuePairs.forEach(RawQp::expectCanaries);
      quiet.expectCanaries();
    }

    private void expectService() {
      RawPair pair = rig.pair();
      RawMemory source = rig.memory(MEMORY_BYTES).fill(4);
      RawMemory reached = rig.memory(MEMORY_BYTES);
      pair.left().post(Wqe.write(reached, 0).data(source, 0, MEMORY_BYTES));
      rig.settle(STEPS_TO_REST);
      pair.left().sends().pollOne().require(CqeOpcode.REQ, 0);
      assertThat(reached.bytes()).isEqualTo(source.bytes());
    }
  }
}
