package dev.bluebell.verifier;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.program.image.ProgramImage;
import dev.bluebell.program.image.Queue;
import dev.bluebell.program.image.Region;
import dev.bluebell.verifier.Mutations.Mutation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class HandMadeTest {
  private static final int SEEDS = 200;

  private record Case(String name, ProgramImage image, Rules rules, List<Message> messages) {}

  private static List<Case> cases() {
    Rules checked = Rules.CONSERVATIVE;
    Rules unchecked = checked.unchecked();
    return List.of(
        new Case(
            "checked condition",
            HandMade.checkedCondition(),
            checked,
            List.of(HandMade.message(HandMade.Y), HandMade.message(5))),
        new Case(
            "unchecked condition",
            HandMade.uncheckedCondition(),
            unchecked,
            List.of(HandMade.uncheckedEqual(), new Message(0x40, new byte[5]))),
        new Case(
            "loop",
            HandMade.unrolledLoop(3),
            checked,
            List.of(
                HandMade.message(HandMade.Y),
                HandMade.message(HandMade.Y + 1),
                HandMade.message(HandMade.Y + 2),
                HandMade.message(5))),
        new Case(
            "break",
            HandMade.breakingLoop(3),
            checked,
            List.of(
                HandMade.breaking(HandMade.Y),
                HandMade.breaking(HandMade.Y + 1),
                HandMade.breaking(HandMade.Y + 2),
                HandMade.breaking(5))));
  }

  @Test
  void aMessageWhoseCompletionQueueDoesNotExistIsRefused() {
    ProgramImage image = HandMade.checkedCondition();
    Queue client = image.queues().getFirst();
    Queue lost =
        new Queue(
            client.name(),
            client.qpn(),
            client.peer(),
            client.managed(),
            client.master(),
            client.send(),
            client.receive(),
            client.receiveRecord(),
            client.sendCq(),
            0x999);
    List<Queue> queues = List.of(lost, image.queues().getLast());
    ProgramImage changed =
        new ProgramImage(queues, image.completionQueues(), image.regions(), image.entryPoints());
    assertThat(Verifier.verify(changed, Rules.ASSUMED).refusals())
        .containsExactly(
            "receive entry 0 of queue 0x40 (client) completes in completion queue 2457, which does"
                + " not exist");
  }

  @Test
  void soundProgramsAreProved() {
    for (Case each : cases()) {
      assertThat(Verifier.verify(each.image, each.rules).refusals()).as(each.name).isEmpty();
    }
  }

  @Test
  void theVerifierFollowsEachOutcomeOfTheConditions() {
    assertThat(Verifier.verify(HandMade.checkedCondition(), Rules.CONSERVATIVE).paths())
        .isEqualTo(2);
    assertThat(Verifier.verify(HandMade.breakingLoop(3), Rules.CONSERVATIVE).paths()).isEqualTo(4);
  }

  @Test
  void aProvedProgramHasOneOutcomeForRandomChoices() {
    for (Case each : cases()) {
      for (Message message : each.messages) {
        assertThat(outcomes(each.image, each.rules, message))
            .as(each.name)
            .hasSize(1)
            .allMatch(outcome -> outcome.error() == null);
      }
    }
  }

  @Test
  void aProvedProgramHasOneOutcomeForAllChoices() {
    for (Case each : cases().subList(0, 2)) {
      for (Message message : each.messages) {
        assertThat(AbstractMachine.all(each.image, each.rules, List.of(message), 100_000))
            .as(each.name)
            .hasSize(1);
      }
    }
  }

  @Test
  @Tag("slow")
  void eachBarrierTooFewIsNoticedByTheVerifierAndByTheMachine() {
    List<String> harmless = new ArrayList<>();
    for (Case each : cases()) {
      for (Mutation mutation : Mutations.of(each.image)) {
        String what = each.name + " without " + mutation.what();
        boolean proved = Verifier.verify(mutation.of(each.image), each.rules).isProved();
        assertThat(fails(each, mutation.of(each.image))).as(what).isEqualTo(!proved);
        if (proved) {
          harmless.add(what);
        }
      }
    }

    // The next enable has the same limit.
    assertThat(harmless)
        .containsExactly(
            "loop without SEND_EN of WQE 4 of queue 0x41 (main)",
            "loop without SEND_EN of WQE 9 of queue 0x41 (main)");
  }

  @Test
  void anEnableThatTheProgramPutsInAgainCantBeTakenAway() {
    Case broken =
        cases().stream().filter(each -> each.name.equals("break")).findFirst().orElseThrow();
    assertThat(Mutations.of(broken.image).stream().map(Mutation::what))
        .contains("SEND_EN of WQE 1 of queue 0x41 (main)")
        .doesNotContain("SEND_EN of WQE 0 of queue 0x43 (again)");
  }

  @Test
  void anAddressThatTheClientSendsMayBeAnywhereInItsRegionAndNowhereElse() {
    assertThat(Verifier.verify(HandMade.store(true), Rules.CONSERVATIVE).refusals()).isEmpty();
    assertThat(Verifier.verify(HandMade.store(false), Rules.CONSERVATIVE).refusals())
        .containsExactly(
            "WQE 0 of queue 0x42 (worker), an RDMA_WRITE, reads and writes cells+0x80: the proof"
                + " does not cover which of the two is first within a request; copy through other"
                + " memory");
  }

  @Test
  void anAccessThatItsKeyDoesNotGrantIsRefused() {
    ProgramImage image = withoutRights(HandMade.store(true), "table");

    assertThat(Verifier.verify(image, Rules.CONSERVATIVE).refusals())
        .containsExactly(
            "WQE 0 of queue 0x42 (worker) needs the right REMOTE_WRITE to table at 0x11000, 64"
                + " bytes, lkey 0x78, rkey 0x78");
    Message anywhere = new Message(0x40, ByteBuffer.allocate(8).putLong(0x11000).array());
    assertThat(AbstractMachine.run(image, Rules.CONSERVATIVE, List.of(anywhere), 1).error())
        .startsWith("WQE 0 of queue 0x42 needs the right REMOTE_WRITE");
  }

  private static ProgramImage withoutRights(ProgramImage image, String name) {
    return new ProgramImage(
        image.queues(),
        image.completionQueues(),
        image.regions().stream()
            .map(
                region ->
                    region.name().equals(name)
                        ? new Region(
                            name,
                            region.owner(),
                            region.address(),
                            region.bytes(),
                            region.lkey(),
                            region.rkey(),
                            Set.of())
                        : region)
            .toList(),
        image.entryPoints());
  }

  @Test
  @Tag("slow")
  void aLoopThatRecyclesItselfIsProvedForAllLaps() {
    Verdict verdict = Verifier.verify(HandMade.recycled(true), Rules.ASSUMED.unchecked());
    assertThat(verdict.refusals()).isEmpty();

    // Until the 16-bit index has wrapped.
    assertThat(verdict.requests()).isGreaterThan(256 * 2 * 19);
  }

  @Test
  void aLoopWhoseIndicesComeOutWrongAfterManyLapsIsRefused() {
    assertThat(Verifier.verify(HandMade.recycled(false), Rules.ASSUMED.unchecked()).refusals())
        .containsExactly(
            "WQE 249 of queue 0x43 (pong) enables queue 0x42 (ping) up to index 0, although it is"
                + " already enabled up to index 252");
  }

  @Test
  void aLoopThatRecyclesItselfNeedsItsFences() {
    assertThat(Verifier.verify(HandMade.recycled(true), Rules.CONSERVATIVE.unchecked()).refusals())
        .hasSize(1);
    assertThat(Verifier.verify(HandMade.recycled(true), Rules.ASSUMED).refusals())
        .containsExactly("WQE 256 of queue 0x42 (ping) carries index 0");
  }

  @Test
  @Tag("slow")
  void theSearchForAFailingOrderOfAProgramThatNeverRestsEnds() {
    Rules rules = Rules.ASSUMED.unchecked();
    List<Message> message = List.of(HandMade.message(HandMade.Y));
    assertThat(FailingOrder.find(HandMade.recycled(true), rules, Reliance.ALL, message)).isEmpty();
  }

  @Test
  void anOrderFromAWindowIsProvedOnlyForDevicesWithSuchAWindow() {
    ProgramImage image = HandMade.copyBehindReads(63);
    assertThat(Verifier.verify(image, Rules.CONSERVATIVE.with(window(64))).refusals()).isEmpty();
    assertThat(Verifier.verify(image, Rules.CONSERVATIVE.with(window(65))).isProved()).isFalse();
    assertThat(Verifier.verify(image, Rules.CONSERVATIVE).isProved()).isFalse();
  }

  private static Habits window(int wqebbs) {
    return new Habits(wqebbs, 0, false);
  }

  @Test
  void anOrderFromALimitOfReadsIsProvedOnlyForDevicesWithSuchALimit() {
    ProgramImage image = HandMade.copyBehindReads(16);
    Rules rules = Rules.CONSERVATIVE;
    assertThat(Verifier.verify(image, rules.with(new Habits(0, 16, false))).refusals()).isEmpty();
    assertThat(Verifier.verify(image, rules.with(new Habits(0, 17, false))).isProved()).isFalse();
  }

  @Test
  void anOrderFromLandingsIsProvedOnlyForDevicesThatKeepIt() {
    ProgramImage image = HandMade.readsToOnePlace();
    Rules rules = Rules.CONSERVATIVE;
    assertThat(Verifier.verify(image, rules.with(new Habits(0, 0, true))).refusals()).isEmpty();
    assertThat(Verifier.verify(image, rules).isProved()).isFalse();
  }

  @Test
  void aProgramThatIsNotProvedWithinTheBoundIsRefused() {
    assertThat(
            Verifier.verify(HandMade.recycled(true), Rules.ASSUMED.unchecked(), Set.of(), 1000)
                .refusals())
        .containsExactly(
            "after 1000 requests on 1 paths the program has neither ended nor returned to a state"
                + " that was there before: the rest is not proved; the bound is 1000 requests"
                + " (maxRequests of Analysis.of)",
            "WQE 1 of queue 0x42 (ping) takes its index from data that may be anything");
  }

  /** True when some choice changes the answer to some message. */
  private static boolean fails(Case each, ProgramImage mutation) {
    for (Message message : each.messages) {
      Outcome right = AbstractMachine.run(each.image, each.rules, List.of(message), 0);
      for (int seed = 0; seed < SEEDS; seed++) {
        if (!AbstractMachine.run(mutation, each.rules, List.of(message), seed).looksLike(right)) {
          return true;
        }
      }
    }
    return false;
  }

  private static Set<Outcome> outcomes(ProgramImage image, Rules rules, Message message) {
    Set<Outcome> outcomes = new HashSet<>();
    for (int seed = 0; seed < SEEDS / 4; seed++) {
      outcomes.add(AbstractMachine.run(image, rules, List.of(message), seed));
    }
    return outcomes;
  }
}
