package dev.bluebell.softnic.option;

import dev.bluebell.hca.LinkLayer;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The options of a software ConnectX.
 *
 * @param engine the thread that runs the device
 * @param clock the clock of the device
 * @param recorderEntries entries of the flight recorder, a power of two; 16 bytes each
 * @param spinNanos how long the idle thread of the device spins before it sleeps
 * @param maxSleepNanos how long the idle thread of the device sleeps at most, which bounds how late
 *     it sees a doorbell without a wake-up
 * @param precedence whether the thread of the device may have precedence over clients where
 *     processors are few, if {@link dev.bluebell.hca.HcaHosting#precede} provides the means
 * @param loss packet loss of the fabric between its queue pairs; null for none, so requests may cut
 *     through
 * @param reorder reordering of payload where order is relaxed; null to keep its order
 * @param strictDoorbells true to start only rung requests, and to lose doorbells that a card may
 *     lose
 * @param machine options for the execution of work queue entries
 * @param link the device's link and network
 * @param faults injected faults; null for none
 * @param timing the cost of work in virtual time; null for real time
 * @param capture the file that packets are written to; null for none
 * @param profile the card to whose capabilities the device limits its own
 */
public record SoftNicOptions(
    EngineMode engine,
    Clock clock,
    int recorderEntries,
    long spinNanos,
    long maxSleepNanos,
    boolean precedence,
    @Nullable LossOptions loss,
    @Nullable ReorderOptions reorder,
    boolean strictDoorbells,
    MachineOptions machine,
    LinkOptions link,
    @Nullable FaultOptions faults,
    @Nullable Timing timing,
    @Nullable Path capture,
    Profile profile) {
  private static final int DEFAULT_RECORDER_ENTRIES = 4096;
  private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  /** Bounds the latency of the first doorbell while no thread polls. */
  private static final long MAX_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /**
   * The default: a thread of its own that sleeps at most 20 ms, the machine's clock, and a flight
   * recorder of 4096 entries.
   */
  public static final SoftNicOptions DEFAULT =
      new SoftNicOptions(
          EngineMode.THREAD,
          Clock.system(),
          DEFAULT_RECORDER_ENTRIES,
          SPIN_NANOS,
          MAX_SLEEP_NANOS,
          true,
          null,
          null,
          false,
          MachineOptions.DEFAULT,
          LinkOptions.DEFAULT,
          null,
          null,
          null,
          Profile.SOFTWARE);

  /**
   * Checks that virtual time has a manual clock and only features whose cost is known, and that
   * captured packets are over IP.
   *
   * @throws IllegalArgumentException when the options can't be combined
   */
  public SoftNicOptions {
    if (timing != null
        && (engine == EngineMode.THREAD
            || !(clock instanceof ManualClock)
            || loss != null
            || reorder != null
            || machine.adversary() != null
            || faults != null
            || link.listen() != null)) {
      throw new IllegalArgumentException(
          "timing=%s of device soft uses a virtual clock: it can't be combined with engine=thread, a lossy fabric, reorder-memory, adversary, fail or listen"
              .formatted(timing.name()));
    }
    if (capture != null && link.layer() == LinkLayer.INFINIBAND) {
      throw new IllegalArgumentException(
          "pcap=%s of device soft: packets are captured as RoCEv2, which an InfiniBand port does not have; leave out link=infiniband"
              .formatted(capture));
    }
  }

  /** A mutable copy of the options. */
  private static final class Parts {
    private EngineMode engine;
    private Clock clock;
    private int recorderEntries;
    private long spinNanos;
    private long maxSleepNanos;
    private boolean precedence;
    private @Nullable LossOptions loss;
    private @Nullable ReorderOptions reorder;
    private boolean strictDoorbells;
    private MachineOptions machine;
    private LinkOptions link;
    private @Nullable FaultOptions faults;
    private @Nullable Timing timing;
    private @Nullable Path capture;
    private Profile profile;

    Parts(SoftNicOptions from) {
      engine = from.engine;
      clock = from.clock;
      recorderEntries = from.recorderEntries;
      spinNanos = from.spinNanos;
      maxSleepNanos = from.maxSleepNanos;
      precedence = from.precedence;
      loss = from.loss;
      reorder = from.reorder;
      strictDoorbells = from.strictDoorbells;
      machine = from.machine;
      link = from.link;
      faults = from.faults;
      timing = from.timing;
      capture = from.capture;
      profile = from.profile;
    }

    SoftNicOptions options() {
      return new SoftNicOptions(
          engine,
          clock,
          recorderEntries,
          spinNanos,
          maxSleepNanos,
          precedence,
          loss,
          reorder,
          strictDoorbells,
          machine,
          link,
          faults,
          timing,
          capture,
          profile);
    }
  }

  private SoftNicOptions with(Consumer<Parts> change) {
    Parts parts = new Parts(this);
    change.accept(parts);
    return parts.options();
  }

  public SoftNicOptions withEngine(EngineMode mode) {
    return with(parts -> parts.engine = mode);
  }

  public SoftNicOptions withClock(Clock newClock) {
    return with(parts -> parts.clock = newClock);
  }

  public SoftNicOptions withRecorderEntries(int entries) {
    return with(parts -> parts.recorderEntries = entries);
  }

  public SoftNicOptions withSpinNanos(long nanos) {
    return with(parts -> parts.spinNanos = nanos);
  }

  public SoftNicOptions withMaxSleepNanos(long nanos) {
    return with(parts -> parts.maxSleepNanos = nanos);
  }

  /**
   * Allows the device's thread to have precedence over clients where processors are few, or not.
   */
  public SoftNicOptions withPrecedence(boolean on) {
    return with(parts -> parts.precedence = on);
  }

  public SoftNicOptions withLoss(LossOptions newLoss) {
    return with(parts -> parts.loss = newLoss);
  }

  public SoftNicOptions withReorder(ReorderOptions newReorder) {
    return with(parts -> parts.reorder = newReorder);
  }

  public SoftNicOptions withStrictDoorbells(boolean strict) {
    return with(parts -> parts.strictDoorbells = strict);
  }

  /** Switches the check of index and QPN of send WQEs on or off. */
  public SoftNicOptions withWqeChecks(boolean checked) {
    return withMachine(
        new MachineOptions(
            checked, machine.fencesEnables(), machine.adversary(), machine.strict()));
  }

  /** Sets whether SEND_EN and RECV_EN obey their fence bits. */
  public SoftNicOptions withFencedEnables(boolean fenced) {
    return withMachine(
        new MachineOptions(machine.checksWqes(), fenced, machine.adversary(), machine.strict()));
  }

  /** Randomizes every ordering that the specification leaves open. */
  public SoftNicOptions withAdversary(long seed) {
    return withMachine(
        new MachineOptions(machine.checksWqes(), machine.fencesEnables(), seed, machine.strict()));
  }

  /**
   * Sets the device's number, from which its addresses and GUID are derived: 1 … 2^24 − 2, or 0 for
   * a number that no other local device has.
   */
  public SoftNicOptions withIdentity(int identity) {
    return withLink(parts -> parts.identity = identity);
  }

  /** Limits the path MTU to 256, 512, 1024, 2048 or 4096 bytes. */
  public SoftNicOptions withMtu(int bytes) {
    return withLink(parts -> parts.mtu = bytes);
  }

  /** Sets the link layer of the port: Ethernet, the default, or InfiniBand. */
  public SoftNicOptions withLinkLayer(LinkLayer layer) {
    return withLink(parts -> parts.layer = layer);
  }

  /** Gives an InfiniBand port more than one LID: it ignores 0 … 7 low bits of its LID. */
  public SoftNicOptions withLmc(int bits) {
    return withLink(parts -> parts.lmc = bits);
  }

  /**
   * Sets the first entries of an InfiniBand port's partition key table: 1 to 128 keys of 16 bits.
   */
  public SoftNicOptions withPartitionKeys(List<Integer> keys) {
    return withLink(parts -> parts.partitionKeys = keys);
  }

  /**
   * Lets the device send and receive RoCEv2 over UDP, at an address of this machine, IPv4 or IPv6,
   * which no other device has.
   */
  public SoftNicOptions withListen(InetAddress address) {
    return withLink(parts -> parts.listen = address);
  }

  /** Connects the device to an Ethernet whose frames travel in UDP datagrams. */
  public SoftNicOptions withFrames(FramePorts ports) {
    return withLink(parts -> parts.frames = ports);
  }

  /**
   * Sends packets between queue pairs of the device over the network, too, if they have a wire
   * format: to test or capture network traffic with one device.
   */
  public SoftNicOptions withHairpin(boolean on) {
    return withLink(parts -> parts.hairpin = on);
  }

  /** Sets the device's reaction to congestion notifications; none by default. */
  public SoftNicOptions withCongestion(CongestionControl control) {
    return withLink(parts -> parts.congestion = control);
  }

  /**
   * Writes each packet that the device sends or receives, as pcap with raw IP, to a file, which is
   * created, or replaced if it exists.
   */
  public SoftNicOptions withCapture(Path file) {
    return with(parts -> parts.capture = file);
  }

  private SoftNicOptions withLink(Consumer<LinkOptions.Parts> change) {
    return with(parts -> parts.link = link.with(change));
  }

  /**
   * Resolves what public sources leave open in the way that catches more mistakes; includes {@link
   * #withStrictDoorbells}.
   */
  public SoftNicOptions withStrict() {
    return withStrictDoorbells(true)
        .withMachine(
            new MachineOptions(
                machine.checksWqes(), machine.fencesEnables(), machine.adversary(), true));
  }

  public SoftNicOptions withFaults(FaultOptions newFaults) {
    return with(parts -> parts.faults = newFaults);
  }

  private SoftNicOptions withMachine(MachineOptions newMachine) {
    return with(parts -> parts.machine = newMachine);
  }

  /**
   * Predicts how long a client would take on a card, in virtual time: the clock stands still while
   * the device works and jumps to the next event when it is idle. A manual clock replaces one that
   * can't jump, and pollers run the device instead of a thread.
   */
  public SoftNicOptions withTiming(Timing newTiming) {
    return with(
        parts -> {
          parts.engine = engine == EngineMode.THREAD ? EngineMode.POLL : engine;
          parts.clock = clock instanceof ManualClock ? clock : new ManualClock();
          parts.timing = newTiming;
        });
  }

  /** Limits the device's capabilities to those of a card. */
  public SoftNicOptions withProfile(Profile newProfile) {
    return with(parts -> parts.profile = newProfile);
  }

  /** The options of the fabric; without any, a lossless fabric with a random seed. */
  LossOptions lossOrNone() {
    return loss == null
        ? LossOptions.none(ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE))
        : loss;
  }

  /**
   * Sets the seed of the fabric, of the memory that reorders and of the faults, if there are any.
   */
  public SoftNicOptions withSeed(long seed) {
    SoftNicOptions seeded = this;
    if (loss != null) {
      seeded = seeded.withLoss(loss.withSeed(seed));
    }
    if (reorder != null) {
      seeded = seeded.withReorder(reorder.withSeed(seed));
    }
    return faults == null ? seeded : seeded.withFaults(faults.withSeed(seed));
  }

  /**
   * Parses options in the syntax of the device {@code soft:}, such as {@code loss=5%,seed=7}.
   *
   * @throws IllegalArgumentException when an option is unknown or its value is wrong
   */
  public static SoftNicOptions parse(String text) {
    return OptionsText.parse(text);
  }
}
