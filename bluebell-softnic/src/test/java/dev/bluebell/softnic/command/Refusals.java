package dev.bluebell.softnic.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.Rigs;
import dev.bluebell.softnic.rig.Rig;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;

/**
 * The common part of tests of refused commands: a valid command, one change, and the expected
 * refusal.
 */
abstract class Refusals {
  final Rig rig = Rigs.open();

  @AfterEach
  void close() {
    rig.close();
  }

  /**
   * A command with one mistake.
   *
   * @param named what the sentence must name, the wrong field first
   */
  record Case(Consumer<View> mistake, int status, List<String> named) {

    static Case of(Consumer<View> mistake, int status, String... named) {
      return new Case(mistake, status, List.of(named));
    }

    static Case badParam(Consumer<View> mistake, String... named) {
      return of(mistake, CommandStatus.BAD_PARAM, named);
    }

    static Case badResource(Consumer<View> mistake, String... named) {
      return of(mistake, CommandStatus.BAD_RES, named);
    }

    @Override
    public String toString() {
      return String.join(", ", named);
    }
  }

  /** Sends the command with its mistake and expects the refusal, and that nothing was created. */
  void expectRefused(Case wrong, View command, Function<byte[], Object> send) {
    List<String> before = rig.nic().diagnosis().orElseThrow().objects();
    wrong.mistake().accept(command);
    HcaException refusal = Rig.refused(() -> send.apply(command.bytes()));
    assertThat(CommandStatus.name(refusal.status())).isEqualTo(CommandStatus.name(wrong.status()));
    assertThat(refusal).hasMessageContainingAll(wrong.named().toArray(String[]::new));
    assertThat(rig.explanation()).contains(wrong.named());
    assertThat(rig.nic().diagnosis().orElseThrow().objects()).isEqualTo(before);
  }
}
