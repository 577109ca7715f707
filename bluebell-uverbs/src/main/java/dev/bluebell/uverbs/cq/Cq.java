package dev.bluebell.uverbs.cq;

import dev.bluebell.hca.HcaEvent;
import dev.bluebell.hca.HcaObject;
import dev.bluebell.hca.command.CmdHcaCap;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CqCommands.Cqc;
import dev.bluebell.hca.command.CqCommands.CreateCqIn;
import dev.bluebell.hca.command.CqCommands.ModifyCqIn;
import dev.bluebell.hca.command.CqCommands.ModifyFieldSelect;
import dev.bluebell.hca.command.CqCommands.ResizeFieldSelect;
import dev.bluebell.hca.command.ObjectKind;
import dev.bluebell.hca.cqe.Cqe;
import dev.bluebell.hca.doorbell.CqArm;
import dev.bluebell.hca.doorbell.DoorbellRecord;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CqAbi.Mlx5CreateCq;
import dev.bluebell.hca.uverbs.CqAbi.Mlx5ResizeCq;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.Mlx5;
import dev.bluebell.hca.uverbs.Verbs;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.event.AsyncEvents;
import dev.bluebell.uverbs.event.EventFile;
import dev.bluebell.uverbs.pages.SharedRanges;
import dev.bluebell.uverbs.session.Capabilities;
import dev.bluebell.uverbs.session.EventRouter;
import dev.bluebell.uverbs.session.Handles;
import dev.bluebell.uverbs.session.Session;
import dev.bluebell.uverbs.uar.Uar;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A completion queue in memory of the client. */
public final class Cq implements Handles.OnDevice {
  private static final int LOG_MAX_ENTRIES = 22;

  /** An arm command that can't be the first one of a queue: its arm_sn is not 0. */
  private static final int NO_FIRST_COMMAND = CqArm.record(3, false, 0);

  private static final ValueLayout.OfInt RECORD_WORD =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final HcaObject object;
  private SharedRanges.Place ring;
  private int logEntries;
  private final int cqeBytes;
  private final SharedRanges.Place record;
  private EventRouter.@Nullable Route completions;
  private final List<EventRouter.Route> failures = new ArrayList<>();
  private int completionsReported;
  private int failuresReported;

  private Cq(
      HcaObject object,
      SharedRanges.Place ring,
      int logEntries,
      int cqeBytes,
      SharedRanges.Place record) {
    this.object = object;
    this.ring = ring;
    this.logEntries = logEntries;
    this.cqeBytes = cqeBytes;
    this.record = record;
  }

  /**
   * A request to create a CQ, in any form of the call.
   *
   * @param cqe entries, less one
   * @param channel descriptor of the completion channel; -1 for none
   * @param events descriptor of the file for asynchronous events; -1 for the context's first
   * @param driver {@link Mlx5CreateCq}
   */
  record Request(
      long userHandle, int cqe, int channel, int vector, int flags, int events, View driver) {}

  /** A new CQ, and the answer to the client. */
  record Made(int handle, int cqe, int number) {}

  static Made create(Session session, Request request) throws IOException {
    View driver = request.driver();
    int logEntries = logEntries(request.cqe());
    int cqeBytes = driver.getInt(Mlx5CreateCq.CQE_SIZE);
    int driverFlags = driver.getInt(Mlx5CreateCq.FLAGS);
    Refusal.require(
        cqeBytes == Cqe.BYTES || cqeBytes == Cqe.BYTES_128,
        Errno.EINVAL,
        "cqe_size %d is neither 64 nor 128",
        cqeBytes);
    Refusal.require(
        (driverFlags & Mlx5.IB_CREATE_CQ_FLAGS_REAL_TIME_TS) == 0,
        Errno.EOPNOTSUPP,
        "this device has no real-time timestamps");
    boolean compressed = driver.isSet(Mlx5CreateCq.CQE_COMP_EN);
    int miniFormat = compressed ? miniFormat(session, driver, cqeBytes) : Cqc.MINI_CQE_HASH;
    Refusal.require(
        (request.flags() & ~(Verbs.CQ_FLAGS_TIMESTAMP_COMPLETION | Verbs.CQ_FLAGS_IGNORE_OVERRUN))
            == 0,
        Errno.EOPNOTSUPP,
        "a CQ with flags 0x%x is not supported",
        request.flags());
    Refusal.require(
        request.vector() >= 0 && request.vector() < session.hca().completionVectors(),
        Errno.EINVAL,
        "the device has no completion vector %d",
        request.vector());
    int uarPage =
        (driverFlags & Mlx5.IB_CREATE_CQ_FLAGS_UAR_PAGE_INDEX) != 0
            ? Uar.require(session, driver.getInt(Mlx5CreateCq.UAR_PAGE_INDEX))
            : session.registers().first();
    @Nullable EventFile channel =
        request.channel() < 0
            ? null
            : EventFile.find(session, EventFile.Kind.COMPLETIONS, request.channel());
    Optional<EventFile> errors = AsyncEvents.of(session, request.events());
    SharedRanges ranges = session.ranges();
    SharedRanges.Place ring =
        ranges.share("CQ buffer", driver.get(Mlx5CreateCq.BUF_ADDR), (long) cqeBytes << logEntries);
    SharedRanges.Place record = null;
    Cq cq;
    try {
      record =
          ranges.share(
              "CQ doorbell record", driver.get(Mlx5CreateCq.DB_ADDR), DoorbellRecord.BYTES);
      // libmlx5 fills it with zeros, which are a first command: the device could not tell whether
      // the queue was armed when another queue's doorbell rings.
      record.memory(DoorbellRecord.BYTES).set(RECORD_WORD, DoorbellRecord.CQ_ARM, NO_FIRST_COMMAND);
      View command = View.command(CreateCqIn.STRUCTURE, CommandOpcode.CREATE_CQ);
      command
          .set(CreateCqIn.CQ_UMEM_ID, ring.umem())
          .set(CreateCqIn.CQ_UMEM_OFFSET, ring.offset())
          .set(CreateCqIn.CQ_UMEM_VALID, true)
          .at(CreateCqIn.CQ_CONTEXT)
          .set(Cqc.DBR_UMEM_ID, record.umem())
          .set(Cqc.DBR_UMEM_VALID, true)
          .set(Cqc.DBR_ADDR, record.offset())
          .set(Cqc.CQE_SZ, cqeSize(cqeBytes))
          .set(Cqc.CQE_COMP_EN, compressed)
          .set(Cqc.MINI_CQE_RES_FORMAT, miniFormat)
          .set(Cqc.OI, (request.flags() & Verbs.CQ_FLAGS_IGNORE_OVERRUN) != 0)
          .set(Cqc.LOG_CQ_SIZE, logEntries)
          .set(Cqc.UAR_PAGE, uarPage)
          .set(Cqc.C_EQN, session.hca().eventQueueNumber(request.vector()));
      cq = new Cq(session.hca().create(command.bytes()), ring, logEntries, cqeBytes, record);
    } catch (IOException | RuntimeException e) {
      if (record != null) {
        record.release(true);
      }
      ring.release(true);
      throw e;
    }
    try {
      cq.report(session, request.userHandle(), channel, errors);
    } catch (RuntimeException e) {
      cq.destroy(true);
      throw e;
    }
    return new Made(session.handles().add(cq), (1 << logEntries) - 1, cq.number());
  }

  /** Routes the events of the CQ to the files that its client chose. */
  private void report(
      Session session, long userHandle, @Nullable EventFile channel, Optional<EventFile> errors) {
    if (channel != null) {
      byte[] event = EventFile.completion(userHandle);
      completions = session.events().route(object, HcaEvent.COMPLETION, channel.pipe(), event);
    }
    Map<Integer, Integer> types = AsyncEvents.OF_COMPLETION_QUEUE;
    errors.ifPresent(file -> AsyncEvents.route(session, object, types, file, userHandle, failures));
  }

  // Always the basic layout, because this structure has no field for it.
  private static int miniFormat(Session session, View driver, int cqeBytes) {
    View cap = Capabilities.general(session.hca());
    Refusal.require(
        cap.isSet(
            cqeBytes == Cqe.BYTES_128 ? CmdHcaCap.CQE_COMPRESSION_128 : CmdHcaCap.CQE_COMPRESSION),
        Errno.EOPNOTSUPP,
        "this device does not compress completions of %d bytes",
        cqeBytes);
    int format = driver.getInt(Mlx5CreateCq.CQE_COMP_RES_FORMAT);
    return switch (format) {
      case Mlx5.IB_CQE_RES_FORMAT_HASH -> Cqc.MINI_CQE_HASH;
      case Mlx5.IB_CQE_RES_FORMAT_CSUM -> Cqc.MINI_CQE_CSUM;
      case Mlx5.IB_CQE_RES_FORMAT_CSUM_STRIDX -> {
        Refusal.require(
            cap.isSet(CmdHcaCap.MINI_CQE_RESP_STRIDE_INDEX),
            Errno.EOPNOTSUPP,
            "this device does not report stride indices in compressed completions");
        yield Cqc.MINI_CQE_CSUM_STRIDX;
      }
      default ->
          throw new Refusal(
              Errno.EINVAL,
              ("unsupported cqe_comp_res_format %d: must be 1 (hash), 2 (checksum) or 4 (checksum"
                      + " with stride index)")
                  .formatted(format));
    };
  }

  // A queue of cqe + 1 entries, rounded up.
  private static int logEntries(int cqe) {
    Refusal.require(
        cqe >= 0 && cqe < 1 << LOG_MAX_ENTRIES,
        Errno.EINVAL,
        "cqe %d (libmlx5 asks for a power of two less one) is not a valid CQ size: ask for 1 to %d"
            + " entries (max_cqe of ibv_query_device)",
        cqe,
        (1 << LOG_MAX_ENTRIES) - 1);
    return 32 - Integer.numberOfLeadingZeros(cqe);
  }

  private static int cqeSize(int bytes) {
    return bytes == Cqe.BYTES_128 ? Cqc.CQE_SZ_128_BYTES : Cqc.CQE_SZ_64_BYTES;
  }

  public int number() {
    return object.number();
  }

  /** True when its entries have 128 bytes. */
  public boolean hasLargeEntries() {
    return cqeBytes == Cqe.BYTES_128;
  }

  /** Changes the event moderation of the CQ. */
  void moderate(int count, int period) {
    View command =
        View.command(ModifyCqIn.STRUCTURE, CommandOpcode.MODIFY_CQ).set(ModifyCqIn.CQN, number());
    command
        .at(ModifyCqIn.MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT_MODIFY_FIELD_SELECT)
        .set(
            ModifyFieldSelect.MODIFY_FIELD_SELECT,
            ModifyFieldSelect.PERIOD | ModifyFieldSelect.COUNT);
    command.at(ModifyCqIn.CQ_CONTEXT).set(Cqc.CQ_MAX_COUNT, count).set(Cqc.CQ_PERIOD, period);
    byte[] unused = object.modify(command.bytes());
  }

  /**
   * Resizes the CQ. The old buffer keeps its contents, and the client copies unpolled completions
   * from it to the new one. Mirrors {@code mlx5_ib cq.c: mlx5_ib_resize_cq}.
   *
   * @param cqe entries, less one
   * @param driver {@link Mlx5ResizeCq}: the new buffer
   * @return the new number of entries, less one
   */
  int resize(Session session, int cqe, View driver) throws IOException {
    int logNew = logEntries(cqe);
    if (logNew != logEntries) {
      int newBytes = driver.getInt(Mlx5ResizeCq.CQE_SIZE);
      Refusal.require(
          newBytes == cqeBytes,
          Errno.EINVAL,
          "CQ 0x%x can't change its cqe_size to %d",
          number(),
          newBytes);
      long bytes = (long) cqeBytes << logNew;
      SharedRanges.Place place =
          session.ranges().share("CQ buffer", driver.get(Mlx5ResizeCq.BUF_ADDR), bytes);
      try {
        moveTo(place, logNew);
      } catch (RuntimeException e) {
        place.release(true);
        throw e;
      }
      SharedRanges.Place old = ring;
      ring = place;
      logEntries = logNew;
      old.release(true);
    }
    return (1 << logEntries) - 1;
  }

  private void moveTo(SharedRanges.Place place, int logNew) {
    View command =
        View.command(ModifyCqIn.STRUCTURE, CommandOpcode.MODIFY_CQ)
            .set(ModifyCqIn.CQN, number())
            .set(CmdIn.OP_MOD, ModifyCqIn.OP_MOD_RESIZE)
            .set(ModifyCqIn.MODIFY_FIELD_SELECT_RESIZE_FIELD_SELECT, ResizeFieldSelect.RING)
            .set(CreateCqIn.CQ_UMEM_ID, place.umem())
            .set(CreateCqIn.CQ_UMEM_OFFSET, place.offset())
            .set(ModifyCqIn.CQ_UMEM_VALID, true);
    command
        .at(ModifyCqIn.CQ_CONTEXT)
        .set(Cqc.LOG_CQ_SIZE, logNew)
        .set(Cqc.CQE_SZ, cqeSize(cqeBytes));
    byte[] unused = object.modify(command.bytes());
  }

  /** Completion events that the client has read, once the CQ is destroyed. */
  int completionsReported() {
    return completionsReported;
  }

  /** Asynchronous events that the client has read, once the CQ is destroyed. */
  int failuresReported() {
    return failuresReported;
  }

  @Override
  public HcaObject object() {
    return object;
  }

  @Override
  public int rank() {
    return ObjectKind.COMPLETION_QUEUE.ordinal();
  }

  @Override
  public void destroy(boolean alive) throws IOException {
    object.close();
    if (completions != null) {
      completionsReported = completions.end();
    }
    failuresReported = failures.stream().mapToInt(EventRouter.Route::end).sum();
    record.release(alive);
    ring.release(alive);
  }
}
