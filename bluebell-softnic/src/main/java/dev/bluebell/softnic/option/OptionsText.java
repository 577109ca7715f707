package dev.bluebell.softnic.option;

import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.text.Names;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The parser of {@link SoftNicOptions} from the text after {@code soft:}. */
final class OptionsText {
  /** The names of all options, for suggestions. */
  static final List<String> NAMES =
      List.of(
          "engine",
          "recorder",
          "spin",
          "sleep",
          "precedence",
          "doorbells",
          "strict",
          "mtu",
          "identity",
          "timing",
          "profile",
          "pcap",
          "link",
          "listen",
          "frames",
          "hairpin",
          "congestion",
          "lmc",
          "pkeys",
          "loss",
          "reorder",
          "duplicate",
          "delay",
          "seed",
          "reorder-memory",
          "fail",
          "adversary",
          "wqe-checks",
          "fenced-enables");

  private static final Pattern PERCENT = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,9})?%?");
  private static final Pattern PARTITION_KEYS =
      Pattern.compile("(0x)?[0-9a-f]{1,4}(\\+(0x)?[0-9a-f]{1,4})*");
  private static final BigDecimal ALL = BigDecimal.valueOf(100);

  private OptionsText() {}

  /**
   * Parses text such as {@code engine=poll,recorder=65536} or {@code loss=5%,delay=20}. Random
   * parts without a seed get a random one.
   *
   * @throws IllegalArgumentException when an option is unknown or its value is wrong
   */
  static SoftNicOptions parse(String text) {
    SoftNicOptions options = SoftNicOptions.DEFAULT;
    Long seed = null;
    Timing timing = null;
    boolean threaded = false;
    Set<String> given = new HashSet<>();
    for (String option : text.split(",")) {
      String[] pair = option.split("=", 2);
      String value = pair.length == 2 ? pair[1] : "";
      if (!given.add(pair[0])) {
        throw new IllegalArgumentException(
            "option %s of device soft is given twice".formatted(pair[0]));
      }
      options =
          switch (pair[0]) {
            case "engine" -> {
              threaded = mode(value) == EngineMode.THREAD;
              yield options.withEngine(mode(value));
            }
            case "timing" -> {
              timing = Timing.named(value);
              yield options;
            }
            case "recorder" -> options.withRecorderEntries(entries(value));
            case "spin" -> options.withSpinNanos(nanos("spin", value, 0));
            case "sleep" -> options.withMaxSleepNanos(nanos("sleep", value, 1));
            case "precedence" -> options.withPrecedence(isFirst("precedence", value, "on", "off"));
            case "loss" -> options.withLoss(options.lossOrNone().withLoss(share("loss", value)));
            case "reorder" ->
                options.withLoss(options.lossOrNone().withReorder(share("reorder", value)));
            case "duplicate" ->
                options.withLoss(options.lossOrNone().withDuplicate(share("duplicate", value)));
            case "delay" ->
                options.withLoss(options.lossOrNone().withDelayNanos(nanos("delay", value, 0)));
            case "reorder-memory" ->
                options.withReorder(
                    new ReorderOptions(
                        nanos("reorder-memory", value, 1),
                        ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE)));
            case "doorbells" ->
                options.withStrictDoorbells(!isFirst("doorbells", value, "shared", "strict"));
            case "wqe-checks" -> options.withWqeChecks(isFirst("wqe-checks", value, "on", "off"));
            case "fenced-enables" ->
                options.withFencedEnables(isFirst("fenced-enables", value, "on", "off"));
            case "adversary" -> options.withAdversary(seed("adversary", value));
            case "strict" -> strict(options, pair.length == 1);
            case "fail" ->
                options.withFaults(
                    FaultOptions.parse(
                        value, ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE)));
            case "mtu" -> options.withMtu(mtu(value));
            case "listen" -> options.withListen(address(value));
            case "frames" -> options.withFrames(FramePorts.parse(value));
            case "hairpin" -> options.withHairpin(isFirst("hairpin", value, "on", "off"));
            case "congestion" ->
                options.withCongestion(
                    isFirst("congestion", value, "dcqcn", "off")
                        ? CongestionControl.DCQCN
                        : CongestionControl.OFF);
            case "pcap" -> options.withCapture(file(value));
            case "identity" -> options.withIdentity(identity(value));
            case "link" -> options.withLinkLayer(linkLayer(value));
            case "profile" -> options.withProfile(Profile.named(value));
            case "lmc" -> options.withLmc(lmc(value));
            case "pkeys" -> options.withPartitionKeys(partitionKeys(value));
            case "seed" -> {
              seed = seed("seed", value);
              yield options;
            }
            default -> throw unknown(pair[0]);
          };
    }
    options.link().requireFitting();
    if (seed != null
        && options.loss() == null
        && options.reorder() == null
        && options.faults() == null) {
      throw new IllegalArgumentException(
          "seed=%d of device soft seeds nothing: it goes with loss, reorder, duplicate, delay, reorder-memory or fail, and adversary=NUMBER is a seed itself"
              .formatted(seed));
    }
    SoftNicOptions seeded = seed == null ? options : options.withSeed(seed);
    if (timing == null) {
      return seeded;
    }
    SoftNicOptions timed = seeded.withTiming(timing);
    return threaded ? timed.withEngine(EngineMode.THREAD) : timed;
  }

  private static IllegalArgumentException unknown(String option) {
    return new IllegalArgumentException(
        "option '%s' of device soft is unknown; %s options are engine=thread|poll, recorder=ENTRIES, spin=MICROSECONDS, sleep=MICROSECONDS, precedence=on|off, doorbells=shared|strict, strict, mtu=256|512|1024|2048|4096, identity=NUMBER, timing=connectx5, profile=connectx5|connectx6dx|connectx7|bluefield3, pcap=FILE and link=ethernet|infiniband, and for a network listen=ADDRESS, frames=PORT:PORT, hairpin=on|off and congestion=dcqcn|off, and for an InfiniBand port lmc=0..7 and pkeys=KEY+KEY, and for a lossy fabric loss=PERCENT, reorder=PERCENT, duplicate=PERCENT, delay=MICROSECONDS and seed=NUMBER, and for payload that becomes visible out of order reorder-memory=MICROSECONDS and seed=NUMBER, and for injected faults fail=FAULT@N and seed=NUMBER, and for programs that run on the NIC adversary=NUMBER, wqe-checks=on|off and fenced-enables=on|off"
            .formatted(
                option,
                Names.meant(option, NAMES).map("did you mean '%s'? Its"::formatted).orElse("its")));
  }

  private static LinkLayer linkLayer(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "ethernet" -> LinkLayer.ETHERNET;
      case "infiniband" -> LinkLayer.INFINIBAND;
      default ->
          throw new IllegalArgumentException(
              "link=%s of device soft is unknown; it must be ethernet or infiniband"
                  .formatted(value));
    };
  }

  private static InetAddress address(String value) {
    try {
      // Only literal addresses: with a name, its resolver would choose where the device listens.
      return InetAddress.ofLiteral(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "listen=%s of device soft: it must be an IPv4 or IPv6 address of this machine, such as 127.0.0.2 or ::1"
              .formatted(value),
          e);
    }
  }

  private static Path file(String value) {
    if (value.isEmpty()) {
      throw new IllegalArgumentException("pcap of device soft needs a file: pcap=FILE");
    }
    return Path.of(value);
  }

  private static List<Integer> partitionKeys(String value) {
    if (!PARTITION_KEYS.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "pkeys=%s of device soft: partition keys must be hexadecimal numbers of 16 bits, such as 0xffff+0x8001"
              .formatted(value));
    }
    return Stream.of(value.replace("0x", "").split("\\+"))
        .map(key -> Integer.parseInt(key, 16))
        .toList();
  }

  private static EngineMode mode(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "thread" -> EngineMode.THREAD;
      case "poll" -> EngineMode.POLL;
      default ->
          throw new IllegalArgumentException(
              "engine=%s of device soft is unknown; it must be thread or poll".formatted(value));
    };
  }

  private static double share(String option, String value) {
    BigDecimal percent =
        PERCENT.matcher(value).matches()
            ? new BigDecimal(value.replace("%", ""))
            : BigDecimal.valueOf(-1);
    if (percent.signum() < 0 || percent.compareTo(ALL) > 0) {
      throw new IllegalArgumentException(
          "%s=%s of device soft: it must be a percentage of all packets, from 0 to 100, such as 5%% or 0.1%%"
              .formatted(option, value));
    }
    return percent.movePointLeft(2).doubleValue();
  }

  private static SoftNicOptions strict(SoftNicOptions options, boolean alone) {
    if (!alone) {
      throw new IllegalArgumentException("option strict of device soft takes no value");
    }
    return options.withStrict();
  }

  private static int mtu(String value) {
    return switch (value) {
      case "256", "512", "1024", "2048", "4096" -> Integer.parseInt(value);
      default ->
          throw new IllegalArgumentException(
              "mtu=%s of device soft: a path MTU must be 256, 512, 1024, 2048 or 4096 bytes; over a network of 1500 bytes, use 1024"
                  .formatted(value));
    };
  }

  private static int identity(String value) {
    int identity = value.matches("[0-9]{1,8}") ? Integer.parseInt(value) : 0;
    if (identity == 0 || identity > LinkOptions.MAX_IDENTITY) {
      throw new IllegalArgumentException(
          "identity=%s of device soft: it must be a number from 1 to %d, from which the device derives its addresses"
              .formatted(value, LinkOptions.MAX_IDENTITY));
    }
    return identity;
  }

  private static int lmc(String value) {
    if (!value.matches("[0-7]")) {
      throw new IllegalArgumentException(
          "lmc=%s of device soft: it must be a number of bits from 0 to %d"
              .formatted(value, LinkOptions.MAX_LMC));
    }
    return Integer.parseInt(value);
  }

  /** True for the first of two words, false for the second. */
  private static boolean isFirst(String option, String value, String first, String second) {
    if (!value.equals(first) && !value.equals(second)) {
      throw new IllegalArgumentException(
          "%s=%s of device soft is unknown; it must be %s or %s"
              .formatted(option, value, first, second));
    }
    return value.equals(first);
  }

  private static long seed(String option, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s=%s of device soft: it must be a 64-bit integer%s"
              .formatted(
                  option,
                  value,
                  option.equals("seed") ? "; without it, the device chooses a random one" : ""),
          e);
    }
  }

  private static long nanos(String option, String value, long least) {
    long micros = value.matches("[0-9]{1,7}") ? Long.parseLong(value) : -1;
    if (micros < least) {
      throw new IllegalArgumentException(
          "%s=%s of device soft: it must be a number of microseconds, at least %d"
              .formatted(option, value, least));
    }
    return TimeUnit.MICROSECONDS.toNanos(micros);
  }

  private static int entries(String value) {
    int entries = value.matches("[0-9]{1,7}") ? Integer.parseInt(value) : 0;
    if (entries < 2 || Integer.bitCount(entries) != 1) {
      throw new IllegalArgumentException(
          "recorder=%s of device soft: the number of entries must be a power of two, at least 2"
              .formatted(value));
    }
    return entries;
  }
}
