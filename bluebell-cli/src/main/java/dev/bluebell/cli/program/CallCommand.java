package dev.bluebell.cli.program;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.bluebell.cli.command.CliCommand;
import dev.bluebell.cli.command.WorkFailed;
import dev.bluebell.cli.output.JsonLines;
import dev.bluebell.cli.output.Style;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.HcaResidents;
import dev.bluebell.program.image.Right;
import dev.bluebell.program.install.Client;
import dev.bluebell.program.offload.Example;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import dev.bluebell.verbs.QueuePairEndpoint;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bluebell program call}: calls an installed program. */
@Command(
    name = "call",
    header = "Call a program that was installed on a device process.",
    description = {
      "Takes a free seat of a program that 'bluebell program install' installed on the device of"
          + " 'bluebell serve', and calls the program. A seat serves one client and does not become"
          + " free again.",
      "",
      "Prints how many calls were answered, and the last answer. If calls change no table, each"
          + " answer is compared with that of plain Java. The exit code is 1 if an answer is wrong."
    })
final class CallCommand extends CliCommand {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Mixin private ResidentOption resident = new ResidentOption();

  @Option(
      names = "--calls",
      paramLabel = "N",
      description = "How many calls. Default: ${DEFAULT-VALUE}.",
      defaultValue = "1")
  private int calls;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    if (calls < 1) {
      throw wrongUsage("--calls %d: give 1 or more".formatted(calls));
    }
    try (Residence residence = resident.open()) {
      HcaResidents residents = residence.residents();
      Notice notice = Notice.parse(resident.name(), residents.notice(resident.name()));
      Example example = notice.example();
      Plan plan = notice.plan(example.program());
      try (ProtectionDomain domain = residence.device().allocateProtectionDomain();
          Client client = new Client(residence.device(), domain, plan)) {
        client.connect(join(residence.device(), notice, client.endpoint()));
        return report(exchange(client, notice, example, plan));
      }
    }
  }

  /** Joins the first free seat. */
  private QueuePairEndpoint join(Device at, Notice notice, QueuePairEndpoint own) {
    HcaException last = null;
    for (QueuePairEndpoint seat : notice.seats()) {
      try {
        at.join(resident.name(), seat, own);
        return seat;
      } catch (HcaException taken) {
        last = taken;
      }
    }
    throw new WorkFailed(
        "%s has no free seat among its %d: %s"
            .formatted(
                resident.name(), notice.seats().size(), last == null ? "" : last.getMessage()));
  }

  /** The results of all calls. */
  private record Results(int answered, int wrong, boolean compared, Optional<byte[]> last) {}

  private Results exchange(Client client, Notice notice, Example example, Plan plan) {
    var places = notice.places(example.program());
    byte[] message = client.encode(plan, example.inputs().apply(places));
    List<byte[]> expected = example.answers().apply(places);
    boolean compared =
        plan.data().stream().allMatch(data -> plan.rights(data).stream().noneMatch(Right::changes));
    int wrong = 0;
    Optional<byte[]> last = Optional.empty();
    for (int call = 0; call < calls; call++) {
      client.send(message);
      // A call without a result sends no answer: then only the acknowledgement is awaited.
      List<byte[]> answers = client.await(expected.size(), PATIENCE);
      if (compared && !Arrays.deepEquals(answers.toArray(), expected.toArray())) {
        wrong++;
      }
      last = answers.stream().reduce((_, later) -> later);
    }
    return new Results(expected.isEmpty() ? 0 : calls, wrong, compared, last);
  }

  private int report(Results results) {
    String last = results.last().map(HexFormat.of()::formatHex).orElse("");
    if (json) {
      ObjectNode object =
          JsonLines.object()
              .put("name", resident.name())
              .put("calls", calls)
              .put("answered", results.answered())
              .put("compared", results.compared())
              .put("wrong", results.wrong())
              .put("last", last);
      json().write(object);
    } else if (results.answered() == 0) {
      out()
          .println(
              "%s: %s; with the tables as installed, a call has no answer"
                  .formatted(
                      resident.name(),
                      Style.good("%d of %d calls were acknowledged".formatted(calls, calls))));
    } else {
      String answered = "%d of %d calls were answered".formatted(results.answered(), calls);
      String right =
          results.compared() ? ", %d of them wrong".formatted(results.wrong()) : ", not compared";
      out()
          .println(
              "%s: %s%s; the last answer is %s"
                  .formatted(
                      resident.name(),
                      results.wrong() == 0 ? Style.good(answered) : Style.bad(answered),
                      right,
                      last));
    }
    out().flush();
    return results.wrong() == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
  }
}
