package dev.bluebell.softnic.command;

import static dev.bluebell.softnic.command.CommandFailure.allocated;
import static dev.bluebell.softnic.command.CommandFailure.require;
import static dev.bluebell.softnic.command.CommandFailure.requireValid;

import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.QpCommands.CreateQpIn;
import dev.bluebell.hca.command.QpCommands.CreateQpOut;
import dev.bluebell.hca.command.QpCommands.DestroyQpIn;
import dev.bluebell.hca.command.QpCommands.Qpc;
import dev.bluebell.hca.command.QpCommands.QpcExt;
import dev.bluebell.hca.command.QpCommands.QueryQpIn;
import dev.bluebell.hca.command.QpCommands.QueryQpOut;
import dev.bluebell.hca.command.QpOptionalParameter;
import dev.bluebell.hca.command.QpState;
import dev.bluebell.hca.command.QpTransitions.Init2initQpIn;
import dev.bluebell.hca.command.QpTransitions.Rts2rtsQpIn;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.memory.Memory;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.wqe.ControlSegment;
import dev.bluebell.hca.wqe.ReceiveSignatureSegment;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.softnic.doorbell.Doorbells;
import dev.bluebell.softnic.doorbell.UarPage;
import dev.bluebell.softnic.engine.Engine;
import dev.bluebell.softnic.queue.Chip;
import dev.bluebell.softnic.queue.CompletionQueue;
import dev.bluebell.softnic.queue.ReceiveQueue;
import dev.bluebell.softnic.queue.SendQueue;
import dev.bluebell.softnic.queue.TagMatching;
import dev.bluebell.softnic.transport.Network;
import dev.bluebell.softnic.transport.QueuePair;
import dev.bluebell.softnic.transport.Queues;
import dev.bluebell.softnic.transport.connection.ReceiveSource;
import dev.bluebell.softnic.transport.operation.Rendezvous;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** CREATE_QP, QUERY_QP, DESTROY_QP. */
final class QpCommands {
  /** At most 1,024 messages or 4 MiB: a command must not hold the device up for long. */
  private static final int TURNS_BEFORE_COMMAND = 16;

  private final Chip chip;
  private final Engine engine;
  private final Inventory inventory;
  private final Doorbells doorbells;
  private final Network network;

  QpCommands(Chip chip, Engine engine, Doorbells doorbells, Inventory inventory, Network network) {
    this.chip = chip;
    this.engine = engine;
    this.doorbells = doorbells;
    this.inventory = inventory;
    this.network = network;
  }

  View create(View in) {
    View qpc = in.at(CreateQpIn.QPC);
    ServiceType service = service(qpc.getInt(Qpc.ST));
    checkWhatIsSupported(qpc);
    if (service == ServiceType.DCI) {
      checkInitiator(qpc);
    }
    ProtectionDomain domain = inventory.domain(qpc.getInt(Qpc.PD));
    Optional<UarPage> page = page(qpc);
    CompletionQueue sends = inventory.completionQueue("cqn_snd", qpc.getInt(Qpc.CQN_SND));
    CompletionQueue receives = inventory.completionQueue("cqn_rcv", qpc.getInt(Qpc.CQN_RCV));
    ScatterToCqe.check(qpc, service, sends, receives);
    Placement rings = rings(in, qpc);
    Placement record = record(qpc);
    requireValid(
        !qpc.isSet(Qpc.WQ_SIGNATURE)
            || !hasReceiveQueue(qpc)
            || 1 << logStride(qpc) > ReceiveSignatureSegment.BYTES,
        "log_rq_stride %d: with wq_signature, a receive WQE of 16 bytes has no data segment",
        qpc.getInt(Qpc.LOG_RQ_STRIDE));
    Optional<ReceivePool> pool = hasPool(qpc) ? Optional.of(pool(qpc)) : Optional.empty();
    Optional<XrcDomain> xrcDomain = xrcDomain(qpc);
    pool.ifPresent(p -> checkPool(qpc, service, p));
    // An initiator names a pool, but does not receive.
    Optional<ReceivePool> receiver = service == ServiceType.DCI ? Optional.empty() : pool;
    TagMatching tags = receiver.map(ReceivePool::tags).orElse(null);
    checkOffload(qpc, tags);
    int qpn = allocated(inventory.queuePairs, "all %d queue pairs are in use (log_max_qp)");

    View context = View.of(Qpc.STRUCTURE);
    qpc.copyTo(context, Qpc.STRUCTURE.bytes());
    SendQueue sendQueue = sendQueue(qpn, qpc, rings, record);
    ReceiveQueue queue =
        receiver
            .map(ReceivePool::queue)
            .orElseGet(() -> receiveQueue(qpn, qpc, rings, record, domain.number()));
    ReceiveSource source =
        tags == null
            ? new ReceiveSource(
                queue,
                receives,
                qpc.getInt(Qpc.USER_INDEX),
                receiver.isPresent() || xrcDomain.isPresent())
            : ReceiveSource.tagMatching(queue, tags);
    QueuePair queuePair =
        new QueuePair(
            chip, network, qpn, service, context.bytes(), new Queues(sendQueue, sends, source));
    List<IntConsumer> used =
        new ArrayList<>(List.of(domain::use, sends::use, receives::use, rings::use, record::use));
    pool.ifPresent(p -> used.add(p::use));
    xrcDomain.ifPresent(d -> used.add(d::use));
    page.ifPresent(p -> used.add(p::use));
    inventory.queuePairs.put(qpn, queuePair, used.toArray(IntConsumer[]::new));
    page.ifPresent(p -> doorbells.add(queuePair, p));
    return View.of(CreateQpOut.STRUCTURE).set(CreateQpOut.QPN, qpn);
  }

  private SendQueue sendQueue(int qpn, View qpc, Placement rings, Placement record) {
    SendQueue queue = sendQueueOf(qpn, qpc, rings, record);
    if (!chip.machine().checksWqes()) {
      queue.ignoreIdentity();
    }
    if (chip.adversary() != null && !qpc.isSet(Qpc.NO_SQ)) {
      queue.allowPrefetch();
    }
    if (qpc.isSet(Qpc.WQ_SIGNATURE)) {
      queue.requireSignatures();
    }
    return queue;
  }

  private static SendQueue sendQueueOf(int qpn, View qpc, Placement rings, Placement record) {
    if (qpc.isSet(Qpc.NO_SQ)) {
      return qpc.getInt(Qpc.OFFLOAD_TYPE) == Qpc.OFFLOAD_TYPE_RNDV
          ? SendQueue.ofDevice(qpn, rings.umem(), Rendezvous.LOG_WQEBBS)
          : SendQueue.none(qpn, rings.umem());
    }
    int logSize = qpc.getInt(Qpc.LOG_SQ_SIZE);
    long ring = rings.address() + receiveBytes(qpc);
    return qpc.isSet(Qpc.CD_SLAVE_SEND)
        ? SendQueue.managed(qpn, rings.umem(), ring, logSize, record.address())
        : new SendQueue(qpn, rings.umem(), ring, logSize, record.address());
  }

  /** The queue pair's own receive queue, which may have no WQEs. */
  private static ReceiveQueue receiveQueue(
      int qpn, View qpc, Placement rings, Placement record, int pd) {
    ReceiveQueue queue =
        hasReceiveQueue(qpc) ? receiveQueueOf(qpc, rings, record, pd) : ReceiveQueue.none();
    if (qpc.isSet(Qpc.WQ_SIGNATURE)) {
      queue.requireSignatures(qpn);
    }
    return queue;
  }

  private static ReceiveQueue receiveQueueOf(View qpc, Placement rings, Placement record, int pd) {
    int logSize = qpc.getInt(Qpc.LOG_RQ_SIZE);
    return qpc.isSet(Qpc.CD_SLAVE_RECEIVE)
        ? ReceiveQueue.managed(rings.umem(), rings.address(), logStride(qpc), logSize, pd)
        : ReceiveQueue.own(
            rings.umem(), rings.address(), logStride(qpc), logSize, record.address(), pd);
  }

  private static boolean hasReceiveQueue(View qpc) {
    return qpc.getInt(Qpc.RQ_TYPE) == Qpc.RQ_TYPE_REGULAR;
  }

  private static int logStride(View qpc) {
    return qpc.getInt(Qpc.LOG_RQ_STRIDE) + Qpc.LOG_RQ_STRIDE_OF_0;
  }

  /** Bytes of the receive queue, which lies before the send queue. */
  private static long receiveBytes(View qpc) {
    return hasReceiveQueue(qpc) ? 1L << qpc.getInt(Qpc.LOG_RQ_SIZE) + logStride(qpc) : 0;
  }

  private static long sendBytes(View qpc) {
    return qpc.isSet(Qpc.NO_SQ)
        ? 0
        : 1L << qpc.getInt(Qpc.LOG_SQ_SIZE) + ControlSegment.LOG_WQEBB_BYTES;
  }

  private Placement rings(View in, View qpc) {
    if (isTarget(qpc)) {
      return Placement.none();
    }
    long offset =
        in.get(CreateQpIn.WQ_UMEM_OFFSET)
            + Placement.pageOffsetBytes(qpc.getInt(Qpc.PAGE_OFFSET), qpc.getInt(Qpc.LOG_PAGE_SIZE));
    return Placement.of(
        inventory,
        "wq",
        "wq_umem_offset, page_offset, log_page_size, log_sq_size, log_rq_size, log_rq_stride",
        in.isSet(CreateQpIn.WQ_UMEM_VALID),
        in.getInt(CreateQpIn.WQ_UMEM_ID),
        offset,
        receiveBytes(qpc) + sendBytes(qpc),
        16);
  }

  private Placement record(View qpc) {
    if (isTarget(qpc)) {
      return Placement.none();
    }
    return Placement.of(
        inventory,
        "dbr",
        "dbr_addr",
        qpc.isSet(Qpc.DBR_UMEM_VALID),
        qpc.getInt(Qpc.DBR_UMEM_ID),
        qpc.get(Qpc.DBR_ADDR),
        DoorbellRecord.BYTES,
        DoorbellRecord.BYTES);
  }

  private static boolean isExtended(View qpc) {
    return qpc.getInt(Qpc.ST) == ServiceType.XRC.code();
  }

  /** True for an XRC target, which has no queues, and so neither memory nor doorbells. */
  private static boolean isTarget(View qpc) {
    return isExtended(qpc) && qpc.isSet(Qpc.NO_SQ);
  }

  /** True when messages are received in a pool; XRC messages name their queues themselves. */
  private static boolean hasPool(View qpc) {
    return qpc.getInt(Qpc.RQ_TYPE) == Qpc.RQ_TYPE_SHARED && !isExtended(qpc);
  }

  private Optional<UarPage> page(View qpc) {
    return isTarget(qpc)
        ? Optional.empty()
        : Optional.of(inventory.uarPage(qpc.getInt(Qpc.UAR_PAGE)));
  }

  private Optional<XrcDomain> xrcDomain(View qpc) {
    int xrcd = qpc.getInt(Qpc.XRCD);
    return isExtended(qpc) && xrcd != 0 ? Optional.of(inventory.xrcDomain(xrcd)) : Optional.empty();
  }

  // mlx5 qp.h: MLX5_QP_ST_*.
  private static ServiceType service(int st) {
    ServiceType service = ServiceType.of(st);
    if (service == ServiceType.RC
        || service == ServiceType.UC
        || service == ServiceType.UD
        || service == ServiceType.XRC
        || service == ServiceType.DCI) {
      return service;
    }
    throw new CommandFailure(
        CommandStatus.BAD_PARAM,
        "st 0x%x: this device has RC (0), UC (1), UD (2), XRC (3) and DCI (5) only".formatted(st));
  }

  private static void checkInitiator(View qpc) {
    int receiveType = qpc.getInt(Qpc.RQ_TYPE);
    requireValid(
        receiveType != Qpc.RQ_TYPE_REGULAR,
        "rq_type %d: a DC initiator does not receive, so it must be shared (1) or none (3)",
        receiveType);
  }

  private static void checkWhatIsSupported(View qpc) {
    int receiveType = qpc.getInt(Qpc.RQ_TYPE);
    requireValid(
        receiveType == Qpc.RQ_TYPE_REGULAR
            || receiveType == Qpc.RQ_TYPE_SHARED
            || receiveType == Qpc.RQ_TYPE_NONE,
        "rq_type %d is not valid: it must be regular (0), shared (1) or none (3)",
        receiveType);
    requireValid(
        receiveType == Qpc.RQ_TYPE_SHARED || !isExtended(qpc),
        "rq_type %d: an XRC queue pair receives through shared queues only (1)",
        receiveType);
    requireValid(
        qpc.getInt(Qpc.SEND_DBR_MODE) == 0,
        "send_dbr_mode %d: this device needs a doorbell record (0)",
        qpc.getInt(Qpc.SEND_DBR_MODE));
    for (var field : List.of(Qpc.CD_MASTER, Qpc.CD_SLAVE_SEND)) {
      requireValid(
          !qpc.isSet(field) || !qpc.isSet(Qpc.NO_SQ),
          "%s is 1 and so is no_sq: without a send queue there is nothing to manage or execute",
          field.name());
    }
    requireValid(
        !qpc.isSet(Qpc.CD_SLAVE_RECEIVE) || receiveType == Qpc.RQ_TYPE_REGULAR,
        "cd_slave_receive is 1 but rq_type %d is not regular (0): only the queue pair's own receive"
            + " queue can be managed",
        receiveType);
  }

  private static void checkPool(View qpc, ServiceType service, ReceivePool pool) {
    requireValid(
        service == ServiceType.RC || !pool.queue().isStriding(),
        "srqn_rmpn_xrqn names a pool whose WQEs have strides (wq_type), which only RC queue pairs"
            + " (st 0x0) may use");
    requireValid(
        service == ServiceType.RC || service == ServiceType.DCI || pool.tags() == null,
        "st is %s, but srqn_rmpn_xrqn 0x%x names an XRQ, which matches tags of RC only",
        service,
        qpc.getInt(Qpc.SRQN_RMPN_XRQN));
  }

  private static void checkOffload(View qpc, @Nullable TagMatching tags) {
    int offload = qpc.getInt(Qpc.OFFLOAD_TYPE);
    requireValid(
        offload <= Qpc.OFFLOAD_TYPE_RNDV,
        "offload_type %d is not valid: it must be none (0) or rendezvous (1)",
        offload);
    requireValid(
        offload == 0 || qpc.isSet(Qpc.NO_SQ) && tags != null && tags.rendezvous(),
        "offload_type is rendezvous (1), which needs no_sq and an XRQ whose offload is also"
            + " rendezvous");
  }

  private ReceivePool pool(View qpc) {
    return inventory.receiver(
        "rq_type is shared (1), and srqn_rmpn_xrqn", qpc.getInt(Qpc.SRQN_RMPN_XRQN));
  }

  View query(View in) {
    QueuePair queuePair = inventory.queuePair(in.getInt(QueryQpIn.QPN));
    View out = View.of(QueryQpOut.STRUCTURE);
    View qpc = out.at(QueryQpOut.QPC);
    View.over(queuePair.context()).copyTo(qpc, Qpc.STRUCTURE.bytes());
    qpc.set(Qpc.STATE, queuePair.state());
    qpc.set(Qpc.HW_SQ_WQEBB_COUNTER, queuePair.sendQueue().nextIndex());
    qpc.set(Qpc.SW_SQ_WQEBB_COUNTER, queuePair.sendQueue().producer());
    qpc.set(Qpc.NEXT_SEND_PSN, queuePair.requester().nextPsn());
    qpc.set(Qpc.NEXT_RCV_PSN, queuePair.responder().expectedPsn());
    return out;
  }

  View destroy(View in) {
    QueuePair queuePair = inventory.queuePair(in.getInt(DestroyQpIn.QPN));
    unlessGone(
        () -> {
          finish(queuePair);
          queuePair.settle();
        });
    page(View.over(queuePair.context())).ifPresent(page -> doorbells.remove(queuePair, page));
    engine.remove(queuePair);
    unlessGone(queuePair::release);
    inventory.groups.remove(queuePair);
    inventory.queuePairs.remove(queuePair.number());
    return Firmware.ok();
  }

  /** Runs a step that ends a queue pair; if memory of that step is gone, drops the rest of it. */
  private static void unlessGone(Runnable end) {
    try {
      end.run();
      Memory.raiseFault();
    } catch (InternalError gone) {
      // The queue pair must end all the same.
    }
  }

  /** Executes the operation that the upper bits of the mask select; this device knows one. */
  private static void resetStream(QueuePair queuePair, View in) {
    int bytes = Rts2rtsQpIn.QPC_DATA_EXT.offset() + QpcExt.STRUCTURE.bytes();
    require(
        in.bytes().length >= bytes,
        CommandStatus.BAD_INP_LEN,
        "qpc_ext is 1, but the command has %d bytes, not %d",
        in.bytes().length,
        bytes);
    long mask = in.get(Rts2rtsQpIn.OPT_PARAM_MASK_95_32);
    requireValid(
        (mask & ~QpOptionalParameter.EXT_DCI_STREAM) == 0,
        "opt_param_mask_95_32 0x%x selects more than dci_stream_channel_id (bit 0)",
        mask);
    if (mask != 0) {
      String why =
          queuePair.resetStream(
              in.at(Rts2rtsQpIn.QPC_DATA_EXT).getInt(QpcExt.DCI_STREAM_CHANNEL_ID));
      requireValid(why.isEmpty(), "%s", why);
    }
  }

  /**
   * Executes rung requests, up to a limit, before a command: a card would have fetched them by
   * then.
   */
  private void finish(QueuePair queuePair) {
    page(View.over(queuePair.context())).ifPresent(page -> doorbells.poll(page, queuePair));
    if (queuePair.state() == QpState.RTS) {
      engine.settle(queuePair, TURNS_BEFORE_COMMAND);
    }
  }

  /** Executes a transition. */
  View transit(View in, int opcode) {
    QueuePair queuePair = inventory.queuePair(in.getInt(QpTransition.QPN));
    finish(queuePair);
    QpTransition transition = QpTransition.of(opcode, queuePair.service());
    require(
        transition.from().contains(queuePair.state()),
        CommandStatus.BAD_QP_STATE,
        "%s needs a queue pair in %s; the state of QP 0x%x is %s",
        CommandOpcode.name(opcode),
        transition.fromNames(),
        queuePair.number(),
        QpState.name(queuePair.state()));
    View given = in.at(QpTransition.CONTEXT);
    int mask = in.getInt(QpTransition.OPT_PARAM_MASK);
    transition.check(given, mask, inventory.port);
    String migration = QpTransition.migration(given, mask);
    if (!migration.isEmpty()) {
      String why =
          "%s of QP 0x%x sets %s: this device has no automatic path migration (apm), so it ignores the alternate path, and the connection fails when its only path fails"
              .formatted(CommandOpcode.name(opcode), queuePair.number(), migration);
      requireValid(!chip.machine().strict(), "%s", why);
      // A state needs an alternate path, whose loss was explained when it was set.
      if ((mask & QpOptionalParameter.ALT_ADDR_PATH) != 0) {
        chip.explainQueuePair(queuePair.number(), why);
      }
    }
    if (in.isSet(Rts2rtsQpIn.QPC_EXT) && opcode == CommandOpcode.RTS2RTS_QP) {
      resetStream(queuePair, in);
    }
    View context = View.over(queuePair.context());
    transition.apply(given, mask, context);
    String ignored = transition.ignoredRights(given, context);
    if (!ignored.isEmpty()) {
      chip.explainQueuePair(
          queuePair.number(),
          "%s of QP 0x%x sets %s, but opt_param_mask is 0x%x, so the device ignores it"
              .formatted(CommandOpcode.name(opcode), queuePair.number(), ignored, mask));
    }
    queuePair.enter(transition.to());
    if (opcode == CommandOpcode.INIT2INIT_QP && in.isSet(Init2initQpIn.QPC_EXT)) {
      extend(queuePair, in);
    }
    return Firmware.ok();
  }

  /** Applies the fields of the extended context that its own mask selects. */
  private static void extend(QueuePair queuePair, View in) {
    if ((in.get(Init2initQpIn.OPT_PARAM_MASK_95_32) & QpcExt.OPT_MASK_MMO) != 0) {
      queuePair.requester().allowCopies(in.at(Init2initQpIn.QPC_DATA_EXT).isSet(QpcExt.MMO));
    }
  }
}
