package dev.bluebell.lab.contest;

import dev.bluebell.program.compile.Compiler;
import dev.bluebell.program.compile.Target;
import dev.bluebell.program.install.Client;
import dev.bluebell.program.install.Installation;
import dev.bluebell.program.install.SharedData;
import dev.bluebell.program.plan.Calls;
import dev.bluebell.program.plan.Model;
import dev.bluebell.program.plan.Plan;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * Clients that call services on one table at the same time, in a random order. Each client has an
 * installation of its own of each program; only the data is shared. For devices that run when they
 * are polled ({@code soft:engine=poll}). One thread at a time.
 */
final class Contest implements AutoCloseable {
  private static final int MAX_TURNS_WITHOUT_ANSWER = 200_000;
  private static final int MAX_COMPLAINTS = 5;

  private final Device device;
  private final Rules rules;
  private final Random random;
  private final Deque<Runnable> closings = new ArrayDeque<>();
  private final SharedData data;
  private final List<List<Call>> calls = new ArrayList<>();

  /**
   * The result of a contest.
   *
   * @param calls number of answered calls
   * @param summary the calls, in words
   * @param complaints violated rules; empty when there are none
   */
  record Outcome(int calls, String summary, List<String> complaints) {
    /** Copies the list. */
    public Outcome {
      complaints = List.copyOf(complaints);
    }
  }

  /** A client's connection to one program. */
  private record Call(Plan plan, Client client) {}

  private Contest(
      Device device, Target target, Model model, Rules rules, int clients, Random random) {
    this.device = device;
    this.rules = rules;
    this.random = random;
    ProtectionDomain host = device.allocateProtectionDomain();
    closings.push(host::close);
    List<Plan> plans =
        rules.programs().stream()
            .map(program -> Compiler.compile(program, target, model, Calls.MANY))
            .toList();
    data = SharedData.allocate(host, plans);
    closings.push(data::close);
    for (int client = 0; client < clients; client++) {
      ProtectionDomain own = device.allocateProtectionDomain();
      closings.push(own::close);
      calls.add(plans.stream().map(plan -> install(host, own, plan)).toList());
    }
  }

  private Call install(ProtectionDomain host, ProtectionDomain own, Plan plan) {
    Installation installation = Installation.install(device, host, plan, data);
    closings.push(installation::close);
    Client client = new Client(device, own, plan);
    closings.push(client::close);
    client.connect(installation.endpoint());
    installation.connect(client.endpoint());
    return new Call(plan, client);
  }

  /**
   * Installs what clients need to compete for a service.
   *
   * @param service its name among the offloads
   * @param seed seed of the clients' calls and their order
   */
  static Contest of(
      String service, Device device, Target target, Model model, int clients, long seed) {
    Rules rules =
        switch (service) {
          case "lock" -> new LockRules(clients);
          case "page-allocate" -> new PageRules(clients);
          case "fetch-add" -> new CountRules();
          default -> throw new IllegalArgumentException(service);
        };
    return new Contest(device, target, model, rules, clients, new Random(seed));
  }

  /**
   * Lets the clients call.
   *
   * @param count number of calls of all clients together
   * @throws IllegalStateException when a request fails, or no answer arrives
   */
  Outcome run(int count) {
    List<String> complaints = new ArrayList<>();
    rules.begin(data);
    int[] program = new int[calls.size()];
    Arrays.fill(program, -1);
    int sent = 0;
    int answered = 0;
    for (int idle = 0; answered < count && complaints.size() < MAX_COMPLAINTS; idle++) {
      if (idle == MAX_TURNS_WITHOUT_ANSWER) {
        throw new IllegalStateException(
            "%d of %d calls are not answered".formatted(sent - answered, sent));
      }
      int unused = device.progress();
      int client = random.nextInt(calls.size());
      if (program[client] >= 0) {
        List<byte[]> answers = calls.get(client).get(program[client]).client().take();
        if (!answers.isEmpty()) {
          program[client] = -1;
          rules.answered(client, answers.getFirst(), complaints);
          answered++;
          idle = 0;
        }
      } else if (sent < count) {
        Rules.Move move = rules.next(client, random);
        if (move != null) {
          Call call = calls.get(client).get(move.program());
          call.client().send(call.plan().encode(move.inputs()));
          program[client] = move.program();
          sent++;
        }
      }
    }
    rules.end(data, complaints);
    return new Outcome(answered, rules.summary(), complaints);
  }

  @Override
  public void close() {
    while (!closings.isEmpty()) {
      closings.pop().run();
    }
  }
}
