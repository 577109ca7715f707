package dev.bluebell.uverbs;

import static dev.bluebell.uverbs.DevxClient.mkey;
import static dev.bluebell.uverbs.DevxClient.queryCq;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.CqCommands.ModifyCqIn;
import dev.bluebell.hca.command.DomainCommands.AllocXrcdIn;
import dev.bluebell.hca.command.DomainCommands.AllocXrcdOut;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.XrcSrqCommands.CreateXrcSrqIn;
import dev.bluebell.hca.command.XrcSrqCommands.CreateXrcSrqOut;
import dev.bluebell.hca.command.XrcSrqCommands.XrcSrqc;
import dev.bluebell.hca.command.XrcSrqUmems;
import dev.bluebell.hca.command.XrqCommands.CreateXrqOut;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.uverbs.DevxClient.Made;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands of a client access only objects of its own context. */
class DevxOwnershipTest extends Hosted {
  private static final int[] OPCODES = {
    CommandOpcode.CREATE_CQ, CommandOpcode.CREATE_QP, CommandOpcode.CREATE_RMP,
    CommandOpcode.CREATE_MKEY, CommandOpcode.MODIFY_CQ, CommandOpcode.QUERY_CQ,
    CommandOpcode.RST2INIT_QP, CommandOpcode.QUERY_HCA_CAP, CommandOpcode.DESTROY_CQ
  };

  private DevxClient client;
  private DevxClient other;
  private Made foreign;

  @BeforeEach
  void open() throws IOException {
    client = DevxClient.open(host);
    other = DevxClient.open(host);
    foreign = other.createCq(other.umem());
  }

  @AfterEach
  void theOtherContextKeepsWhatItHas() throws IOException, InterruptedException {
    assertThat(other.query(foreign.handle(), queryCq(foreign.number()))).isZero();
    client.close();
    other.close();
    host.expectNothingLeft();
  }

  @Test
  void handlesOfAnotherContextNameNothing() throws IOException {
    assertThat(client.query(foreign.handle(), queryCq(foreign.number()))).isNegative();
    assertThat(client.destroy(foreign.handle())).isNegative();
  }

  @Test
  void aCommandForAnotherObjectThanItsHandleNamesIsRefused() throws IOException {
    Made queue = client.createCq(client.umem());
    Made second = client.createCq(client.umem());
    assertThat(client.query(queue.handle(), queryCq(second.number()))).isNegative();
    assertThat(client.query(queue.handle(), queryCq(foreign.number()))).isNegative();
    byte[] modify =
        View.command(ModifyCqIn.STRUCTURE, CommandOpcode.MODIFY_CQ)
            .set(ModifyCqIn.CQN, foreign.number())
            .set(ModifyCqIn.MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT, 1)
            .bytes();
    assertThat(client.modify(queue.handle(), modify)).isNegative();
  }

  @Test
  void aKeyOverAnotherContextsMemoryIsRefused() throws IOException {
    Made domain = client.domain();
    assertThat(client.create(mkey(domain, client.umem()))).isZero();
    assertThat(client.create(mkey(domain, other.umem()))).isEqualTo(-Errno.EINVAL);
  }

  @Test
  void aKeyInAnotherContextsDomainIsRefused() throws IOException {
    assertThat(client.create(mkey(other.domain(), client.umem()))).isEqualTo(-Errno.EINVAL);
  }

  @Test
  void aQueueInAnotherContextsMemoryOrOnItsPageIsRefused() throws IOException {
    assertThat(client.create(client.cq(other.umem(), client.uar()))).isEqualTo(-Errno.EINVAL);
    assertThat(client.create(client.cq(client.umem(), other.uar()))).isEqualTo(-Errno.EINVAL);
  }

  @Test
  void aQueuePairThatUsesAnotherContextsQueuesIsRefused() throws IOException {
    View sends = View.command(CreateQpIn.STRUCTURE, CommandOpcode.CREATE_QP);
    sends.at(CreateQpIn.QPC).set(Qpc.CQN_SND, foreign.number());
    assertThat(client.create(sends.bytes())).isEqualTo(-Errno.EINVAL);
    View receives = View.command(CreateQpIn.STRUCTURE, CommandOpcode.CREATE_QP);
    receives.at(CreateQpIn.QPC).set(Qpc.CQN_RCV, foreign.number());
    assertThat(client.create(receives.bytes())).isEqualTo(-Errno.EINVAL);
    Made pool = other.createPool(other.domain(), other.umem());
    View shared = View.command(CreateQpIn.STRUCTURE, CommandOpcode.CREATE_QP);
    shared.at(CreateQpIn.QPC).set(Qpc.SRQN_RMPN_XRQN, pool.number());
    assertThat(client.create(shared.bytes())).isEqualTo(-Errno.EINVAL);
    Made xrq = other.made(CreateXrqOut.XRQN, DevxClient.xrq(other.domain(), other.umem(), foreign));
    shared.at(CreateQpIn.QPC).set(Qpc.SRQN_RMPN_XRQN, xrq.number());
    assertThat(client.create(shared.bytes())).isEqualTo(-Errno.EINVAL);
    assertThat(other.destroy(xrq.handle())).isZero();
  }

  @Test
  void aQueuePairOfXrcMayNameAnXrcSrqOfItsOwnContext() throws IOException {
    Made xrcd = client.made(AllocXrcdOut.XRCD, allocXrcd());
    Made queue = client.createCq(client.umem());
    Made domain = client.domain();
    Made srq = client.made(CreateXrcSrqOut.XRC_SRQN, xrcSrq(domain, xrcd, queue, client.umem()));
    View target = View.command(CreateQpIn.STRUCTURE, CommandOpcode.CREATE_QP);
    target
        .at(CreateQpIn.QPC)
        .set(Qpc.ST, ServiceType.XRC.code())
        .set(Qpc.PM_STATE, Qpc.PM_STATE_MIGRATED)
        .set(Qpc.NO_SQ, true)
        .set(Qpc.RQ_TYPE, Qpc.RQ_TYPE_SHARED)
        .set(Qpc.SRQN_RMPN_XRQN, srq.number())
        .set(Qpc.PD, domain.number())
        .set(Qpc.CQN_SND, queue.number())
        .set(Qpc.CQN_RCV, queue.number())
        .set(Qpc.XRCD, xrcd.number());
    assertThat(client.create(target.bytes())).isZero();
    View naming = View.command(CreateQpIn.STRUCTURE, CommandOpcode.CREATE_QP);
    naming.at(CreateQpIn.QPC).set(Qpc.SRQN_RMPN_XRQN, srq.number());
    assertThat(other.create(naming.bytes())).isEqualTo(-Errno.EINVAL);
    naming.at(CreateQpIn.QPC).set(Qpc.SRQN_RMPN_XRQN, 0).set(Qpc.XRCD, xrcd.number());
    assertThat(other.create(naming.bytes())).isEqualTo(-Errno.EINVAL);
  }

  private static byte[] allocXrcd() {
    return View.command(AllocXrcdIn.STRUCTURE, CommandOpcode.ALLOC_XRCD).bytes();
  }

  /** CREATE_XRC_SRQ of four receive requests. */
  private static byte[] xrcSrq(Made domain, Made xrcd, Made queue, Made umem) {
    View command =
        View.command(CreateXrcSrqIn.STRUCTURE, CommandOpcode.CREATE_XRC_SRQ)
            .set(XrcSrqUmems.WQ_UMEM_ID, umem.number());
    command
        .at(CreateXrcSrqIn.XRC_SRQ_CONTEXT_ENTRY)
        .set(XrcSrqc.PD, domain.number())
        .set(XrcSrqc.XRCD, xrcd.number())
        .set(XrcSrqc.CQN, queue.number())
        .set(XrcSrqc.LOG_XRC_SRQ_SIZE, 2)
        .set(XrcSrqc.LOG_RQ_STRIDE, 1)
        .set(XrcSrqUmems.DBR_UMEM_ID, umem.number())
        .set(XrcSrqUmems.DBR_ADDR, 4096);
    return command.bytes();
  }

  @Test
  void aRingDoesNotMoveToMemoryOfAnotherContext() throws IOException {
    Made queue = client.createCq(client.umem());
    // Umems of another context's queues have small numbers, which are easy to guess.
    for (int umem = 1; umem < 20; umem++) {
      assertThat(client.modify(queue.handle(), resize(queue, umem)))
          .as("umem %d", umem)
          .isNegative();
    }
  }

  // CREATE_CQ and MODIFY_CQ name a ring at the same place.
  private static byte[] resize(Made queue, int umem) {
    View command = View.command(CreateCqIn.STRUCTURE, CommandOpcode.MODIFY_CQ);
    command
        .set(CmdIn.OP_MOD, 1)
        .set(ModifyCqIn.CQN, queue.number())
        .set(ModifyCqIn.MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT, 7)
        .set(CreateCqIn.CQ_UMEM_VALID, true)
        .set(CreateCqIn.CQ_UMEM_ID, umem)
        .at(ModifyCqIn.CQ_CONTEXT)
        .set(Cqc.LOG_CQ_SIZE, 2);
    return command.bytes();
  }

  @Test
  void randomCommandsGetErrorsOrHarmlessAnswers() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Made queue = client.createCq(client.umem());
    Made umem = client.umem();
    Made domain = client.domain();
    List<byte[]> valid =
        List.of(
            client.cq(umem, client.uar()),
            DevxClient.pool(domain, umem),
            mkey(domain, umem),
            resize(queue, umem.number()),
            queryCq(queue.number()),
            new byte[1024]);
    for (int i = 0; i < 2000; i++) {
      byte[] command = valid.get(random.nextInt(valid.size())).clone();
      for (int flips = random.nextInt(6); flips > 0; flips--) {
        command[random.nextInt(command.length)] ^= (byte) (1 << random.nextInt(8));
      }
      if (random.nextInt(4) == 0) {
        View.over(command).set(CmdIn.OPCODE, OPCODES[random.nextInt(OPCODES.length)]);
      }
      long result =
          switch (random.nextInt(4)) {
            case 0 -> client.create(command);
            case 1 -> client.modify(queue.handle(), command);
            case 2 -> client.query(queue.handle(), command);
            default -> client.other(command);
          };
      assertThat(result)
          .as("command %d with seed %d", i, seed)
          .isLessThanOrEqualTo(0)
          .isNotEqualTo(-Errno.EIO);
    }
  }
}
