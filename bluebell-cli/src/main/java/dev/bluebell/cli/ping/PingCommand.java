package dev.bluebell.cli.ping;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.command.DeviceOption;
import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.cli.output.Spread;
import dev.bluebell.hca.HcaException;
import dev.bluebell.verbs.Device;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bluebell ping}: checks which devices of a network answer, and how fast. */
@Command(
    name = "ping",
    header = "Find out whether devices of a network answer, and how soon.",
    description = {
      "Asks queue pair 1 of each device for a service that no device offers (SIDR_REQ of the"
          + " connection manager, in a RoCEv2 packet), and prints how long the answer took. An"
          + " answer shows that the device receives, checks and sends RoCEv2 packets. The time"
          + " includes that of this command's own device.",
      "",
      "The exit code is 1 if a device did not answer at all."
    })
public final class PingCommand extends CliCommand {
  private static final int MOST_QUESTIONS = 1_000_000;
  private static final double MOST_SECONDS = 3600;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double NANOS_PER_MICRO = 1e3;

  @Parameters(
      arity = "1..*",
      paramLabel = "ADDRESS",
      description = "IP address of a device, as in --device soft:listen=ADDRESS.")
  private List<String> addresses = List.of();

  @Option(
      names = {"-d", "--device"},
      paramLabel = "NAME",
      description =
          "The device that asks, such as soft:listen=127.0.0.9, or socket:PATH for the device of"
              + " 'bluebell serve'. Default: one at the address from which this machine reaches the"
              + " first ADDRESS.")
  private @Nullable String device;

  @Option(
      names = {"-n", "--count"},
      paramLabel = "N",
      description = "Number of questions. Default: ${DEFAULT-VALUE}.",
      defaultValue = "4")
  private int count;

  @Option(
      names = {"-t", "--timeout"},
      paramLabel = "SECONDS",
      description = "How long to wait for each answer. Default: ${DEFAULT-VALUE}.",
      defaultValue = "1")
  private double seconds;

  @Option(names = "--json", description = "Print one JSON object for each ADDRESS.")
  private boolean json;

  @Override
  public Integer call() {
    if (count < 1 || count > MOST_QUESTIONS) {
      throw wrongUsage("--count must be 1 to %d".formatted(MOST_QUESTIONS));
    }
    if (!(seconds > 0 && seconds <= MOST_SECONDS)) {
      throw wrongUsage(
          "--timeout must be more than 0 seconds and at most %.0f".formatted(MOST_SECONDS));
    }
    List<InetAddress> peers = addresses.stream().map(this::resolve).toList();
    boolean all = true;
    try (Device asking = open(peers.getFirst());
        Questions questions = new Questions(asking)) {
      for (InetAddress peer : peers) {
        all &= ping(questions, peer);
      }
    }
    return all ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private InetAddress resolve(String text) {
    // To the JDK, an empty name is this machine.
    if (!text.isEmpty()) {
      try {
        return InetAddress.getByName(text);
      } catch (UnknownHostException e) {
        // Refused below.
      }
    }
    throw wrongUsage(
        "'%s' is not an IP address: give one such as 127.0.0.2 or fd00::2".formatted(text));
  }

  private Device open(InetAddress peer) {
    if (device != null) {
      return DeviceOption.open(device, commandLine());
    }
    String own = deviceFor(peer);
    try {
      return Device.open(own);
    } catch (HcaException e) {
      throw new WorkFailed(
          "%s; if a device process has this address, let its device ask: --device socket:PATH"
              .formatted(e.getMessage()));
    }
  }

  private static String deviceFor(InetAddress peer) {
    if (peer.isLinkLocalAddress()) {
      throw new WorkFailed(
          "%s is a link-local address, at which no device listens: give another one"
              .formatted(peer.getHostAddress()));
    }
    try (DatagramChannel channel = DatagramChannel.open()) {
      channel.connect(new InetSocketAddress(peer, Questions.UDP_PORT));
      InetAddress own = ((InetSocketAddress) channel.getLocalAddress()).getAddress();
      return "soft:listen=" + own.getHostAddress();
    } catch (IOException e) {
      throw new WorkFailed(
          "this machine has no route to %s (%s)".formatted(peer.getHostAddress(), e.getMessage()));
    }
  }

  private boolean ping(Questions questions, InetAddress peer) {
    String name = peer.getHostAddress();
    Duration patience = Duration.ofNanos((long) (seconds * NANOS_PER_SECOND));
    List<Double> answers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long nanos = questions.ask(peer, patience);
      if (nanos >= 0) {
        answers.add((double) nanos);
      }
      if (!json) {
        out()
            .println(
                nanos < 0
                    ? "%s: no answer within %s s".formatted(name, seconds)
                    : "%s: answered in %s µs".formatted(name, micros((double) nanos)));
        out().flush();
      }
    }
    report(name, answers);
    return !answers.isEmpty();
  }

  private void report(String name, List<Double> answers) {
    Spread spread = answers.isEmpty() ? null : Spread.of(answers);
    if (json) {
      ObjectNode object = JsonLines.object();
      object.put("address", name).put("asked", count).put("answered", answers.size());
      if (spread != null) {
        object
            .put("min_ns", Math.round(spread.least()))
            .put("median_ns", Math.round(spread.median()))
            .put("max_ns", Math.round(spread.most()));
      }
      json().write(object);
    } else if (spread != null) {
      out()
          .printf(
              Locale.ROOT,
              "%s: %d of %d answered; round trip min %s, median %s, max %s µs%n",
              name,
              answers.size(),
              count,
              micros(spread.least()),
              micros(spread.median()),
              micros(spread.most()));
      out().flush();
    }
  }

  private static String micros(double nanos) {
    return String.format(Locale.ROOT, "%.1f", nanos / NANOS_PER_MICRO);
  }
}
