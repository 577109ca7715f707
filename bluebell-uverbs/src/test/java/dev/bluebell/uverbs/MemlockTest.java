package dev.bluebell.uverbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Registrations of a client whose limit of locked memory is enforced. */
class MemlockTest extends Hosted {
  private static final String KIB = "65536";

  /** Runs a script that registers two pieces of 40 KiB, which together exceed 64 KiB. */
  private String register(String... environment) throws IOException, InterruptedException {
    Application.requirePython();
    Application.require("setpriv", "util-linux");
    Application.require("prlimit", "util-linux");
    List<String> command = new ArrayList<>(List.of("env"));
    command.addAll(List.of(environment));
    command.addAll(List.of("prlimit", "--memlock=" + KIB, "setpriv"));
    command.addAll(List.of("--bounding-set=-ipc_lock", "--inh-caps=-ipc_lock"));
    command.addAll(List.of(Application.PYTHON, "-B", "-c", SCRIPT));
    Application application = Application.start(host, folder, command);
    application.expectSuccess();
    host.expectNothingLeft();
    return application.output().strip();
  }

  private static final String SCRIPT =
      """
      import errno
      from pyverbs.device import Context
      from pyverbs.pd import PD
      from pyverbs.mr import MR
      from pyverbs.pyverbs_error import PyverbsRDMAError
      pd = PD(Context(name='mlx5_0'))
      def attempt():
          try:
              return MR(pd, 40960, 1)
          except PyverbsRDMAError as error:
              return errno.errorcode[error.error_code]
      first = attempt()
      second = attempt()
      first.close()
      third = attempt()
      print(*(one if isinstance(one, str) else 'MR' for one in (first, second, third)))
      """;

  @Test
  void anApplicationRegistersNoMoreThanItMayLock() throws IOException, InterruptedException {
    assertThat(register("BLUEBELL_MEMLOCK=1")).isEqualTo("MR ENOMEM MR");
  }

  @Test
  void withoutTheOptionThereIsNoLimit() throws IOException, InterruptedException {
    assertThat(register("UNUSED=1")).isEqualTo("MR MR MR");
  }
}
