package dev.bluebell.softnic.option;

import static dev.bluebell.softnic.option.CongestionControl.DCQCN;
import static dev.bluebell.softnic.option.CongestionControl.OFF;

import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.text.Names;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The parser of {@link SoftNicOptions} from the text after {@code soft:}. */
final class OptionsText {
  /** Takes an option's value, which is empty when the text has none. */
  private interface Setter {
    void set(OptionsText parser, String value);
  }

  /**
   * An option.
   *
   * @param usage its name and, unless it takes no value, = and the form of its value
   */
  private record Option(String usage, Setter setter) {}

  /** Options that belong together in the list of all. */
  private record Group(Option... options) {
    @Override
    public String toString() {
      List<String> usages = Stream.of(options).map(Option::usage).toList();
      int last = usages.size() - 1;
      return String.join(", ", usages.subList(0, last)) + " and " + usages.get(last);
    }
  }

  private static final Option SEED =
      new Option("seed=NUMBER", (parser, value) -> parser.seed = seed("seed", value));

  /** In the order of the message about an unknown option. */
  private static final List<Group> GROUPS =
      List.of(
          new Group(
              new Option("engine=thread|poll", OptionsText::engine),
              option("recorder=ENTRIES", (o, v) -> o.withRecorderEntries(entries(v))),
              micros("spin=MICROSECONDS", 0, SoftNicOptions::withSpinNanos),
              micros("sleep=MICROSECONDS", 1, SoftNicOptions::withMaxSleepNanos),
              choice("precedence=on|off", SoftNicOptions::withPrecedence),
              choice("doorbells=shared|strict", (o, shared) -> o.withStrictDoorbells(!shared)),
              option("strict", (o, v) -> o.withStrict()),
              option("mtu=256|512|1024|2048|4096", (o, v) -> o.withMtu(mtu(v))),
              option("identity=NUMBER", (o, v) -> o.withIdentity(identity(v))),
              new Option("timing=connectx5", (parser, v) -> parser.timing = Timing.named(v)),
              option(
                  "profile=connectx5|connectx6dx|connectx7|bluefield3",
                  (o, v) -> o.withProfile(Profile.named(v))),
              option("pcap=FILE", (o, v) -> o.withCapture(file(v))),
              option("link=ethernet|infiniband", (o, v) -> o.withLinkLayer(linkLayer(v)))),
          new Group(
              option("listen=ADDRESS", (o, v) -> o.withListen(address(v))),
              option("frames=PORT:PORT", (o, v) -> o.withFrames(FramePorts.parse(v))),
              choice("hairpin=on|off", SoftNicOptions::withHairpin),
              choice("congestion=dcqcn|off", (o, on) -> o.withCongestion(on ? DCQCN : OFF))),
          new Group(
              option("lmc=0..7", (o, v) -> o.withLmc(lmc(v))),
              option("pkeys=KEY+KEY", (o, v) -> o.withPartitionKeys(partitionKeys(v)))),
          new Group(
              share("loss=PERCENT", LossOptions::withLoss),
              share("reorder=PERCENT", LossOptions::withReorder),
              share("duplicate=PERCENT", LossOptions::withDuplicate),
              micros(
                  "delay=MICROSECONDS",
                  0,
                  (o, nanos) -> o.withLoss(o.lossOrNone().withDelayNanos(nanos))),
              SEED),
          new Group(
              micros(
                  "reorder-memory=MICROSECONDS",
                  1,
                  (o, nanos) -> o.withReorder(new ReorderOptions(nanos, randomSeed()))),
              SEED),
          new Group(
              option("fail=FAULT@N", (o, v) -> o.withFaults(FaultOptions.parse(v, randomSeed()))),
              SEED),
          new Group(
              option("adversary=NUMBER", (o, v) -> o.withAdversary(seed("adversary", v))),
              choice("wqe-checks=on|off", SoftNicOptions::withWqeChecks),
              choice("fenced-enables=on|off", SoftNicOptions::withFencedEnables)));

  private static final Map<String, Option> OPTIONS = new LinkedHashMap<>();

  static {
    GROUPS.forEach(
        group -> Stream.of(group.options()).forEach(each -> OPTIONS.put(name(each.usage()), each)));
  }

  /** The names of all options, for suggestions. */
  static final List<String> NAMES = List.copyOf(OPTIONS.keySet());

  private static final Pattern PERCENT = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,9})?%?");
  private static final Pattern PARTITION_KEYS =
      Pattern.compile("(0x)?[0-9a-f]{1,4}(\\+(0x)?[0-9a-f]{1,4})*");
  private static final BigDecimal ALL = BigDecimal.valueOf(100);

  private SoftNicOptions options = SoftNicOptions.DEFAULT;
  private @Nullable Long seed;
  private @Nullable Timing timing;

  // True when the text asks for a thread, which the default has, too.
  private boolean threaded;

  private OptionsText() {}

  private static Option option(
      String usage, BiFunction<SoftNicOptions, String, SoftNicOptions> with) {
    return new Option(usage, (parser, v) -> parser.options = with.apply(parser.options, v));
  }

  /** An option with one of two words; {@code with} gets true for the first one. */
  private static Option choice(
      String usage, BiFunction<SoftNicOptions, Boolean, SoftNicOptions> with) {
    return option(usage, (o, v) -> with.apply(o, isFirst(usage, v, v)));
  }

  /** An option with a number of microseconds; {@code with} gets nanoseconds. */
  private static Option micros(
      String usage, int least, BiFunction<SoftNicOptions, Long, SoftNicOptions> with) {
    return option(usage, (o, v) -> with.apply(o, nanos(name(usage), v, least)));
  }

  /** An option of the fabric with a share of its packets. */
  private static Option share(String usage, BiFunction<LossOptions, Double, LossOptions> with) {
    return option(usage, (o, v) -> o.withLoss(with.apply(o.lossOrNone(), share(name(usage), v))));
  }

  private static String name(String usage) {
    return usage.split("=")[0];
  }

  /**
   * Parses text such as {@code engine=poll,recorder=65536} or {@code loss=5%,delay=20}. Random
   * parts without a seed get a random one.
   *
   * @throws IllegalArgumentException when an option is unknown or its value is wrong
   */
  static SoftNicOptions parse(String text) {
    OptionsText parser = new OptionsText();
    Set<String> given = new HashSet<>();
    for (String each : text.split(",")) {
      String[] pair = each.split("=", 2);
      if (!given.add(pair[0])) {
        throw new IllegalArgumentException(
            "option %s of device soft is given twice".formatted(pair[0]));
      }
      Option option = OPTIONS.get(pair[0]);
      if (option == null) {
        throw unknown(pair[0]);
      }
      if (pair.length == 2 && !option.usage().contains("=")) {
        throw new IllegalArgumentException(
            "option %s of device soft takes no value".formatted(pair[0]));
      }
      option.setter().set(parser, pair.length == 2 ? pair[1] : "");
    }
    return parser.parsed();
  }

  private SoftNicOptions parsed() {
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
        "option '%s' of device soft is unknown; %s options are %s"
            .formatted(
                option,
                Names.meant(option, NAMES).map("did you mean '%s'? Its"::formatted).orElse("its"),
                "%s, and for a network %s, and for an InfiniBand port %s, and for a lossy fabric %s, and for payload that becomes visible out of order %s, and for injected faults %s, and for programs that run on the NIC %s"
                    .formatted(GROUPS.toArray())));
  }

  private static int randomSeed() {
    return ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE);
  }

  private void engine(String value) {
    threaded = isFirst("engine=thread|poll", value, value.toLowerCase(Locale.ROOT));
    options = options.withEngine(threaded ? EngineMode.THREAD : EngineMode.POLL);
  }

  private static LinkLayer linkLayer(String value) {
    return isFirst("link=ethernet|infiniband", value, value.toLowerCase(Locale.ROOT))
        ? LinkLayer.ETHERNET
        : LinkLayer.INFINIBAND;
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
    int identity = number(value, 8);
    if (identity < 1 || identity > LinkOptions.MAX_IDENTITY) {
      throw new IllegalArgumentException(
          "identity=%s of device soft: it must be a number from 1 to %d, from which the device derives its addresses"
              .formatted(value, LinkOptions.MAX_IDENTITY));
    }
    return identity;
  }

  private static int lmc(String value) {
    int bits = number(value, 1);
    if (bits < 0 || bits > LinkOptions.MAX_LMC) {
      throw new IllegalArgumentException(
          "lmc=%s of device soft: it must be a number of bits from 0 to %d"
              .formatted(value, LinkOptions.MAX_LMC));
    }
    return bits;
  }

  /** A number without a sign; −1 for anything else, and for more digits than {@code most}. */
  private static int number(String value, int most) {
    return value.matches("[0-9]{1,%d}".formatted(most)) ? Integer.parseInt(value) : -1;
  }

  /**
   * True for the first of two words, false for the second.
   *
   * @param usage of the option, which has the two words
   * @param word the value, or the value without case
   */
  private static boolean isFirst(String usage, String value, String word) {
    String[] words = usage.split("[=|]");
    if (!word.equals(words[1]) && !word.equals(words[2])) {
      throw new IllegalArgumentException(
          "%s=%s of device soft is unknown; it must be %s or %s"
              .formatted(words[0], value, words[1], words[2]));
    }
    return word.equals(words[1]);
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

  private static long nanos(String option, String value, int least) {
    int micros = number(value, 7);
    if (micros < least) {
      throw new IllegalArgumentException(
          "%s=%s of device soft: it must be a number of microseconds, at least %d"
              .formatted(option, value, least));
    }
    return TimeUnit.MICROSECONDS.toNanos(micros);
  }

  private static int entries(String value) {
    int entries = number(value, 7);
    if (entries < 2 || Integer.bitCount(entries) != 1) {
      throw new IllegalArgumentException(
          "recorder=%s of device soft: the number of entries must be a power of two, at least 2"
              .formatted(value));
    }
    return entries;
  }
}
