package dev.bluebell.hca;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.QpTransitions.Rst2initQpIn;
import dev.bluebell.hca.structure.View;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Commands are modified, and everything else is forwarded unchanged. */
class ChangingHcaTest {
  private final List<byte[]> commands = new ArrayList<>();
  private final List<Object> subscribed = new ArrayList<>();
  private final List<byte[]> created = new ArrayList<>();

  private final HcaObject object =
      proxy(
          HcaObject.class,
          (proxy, method, arguments) -> {
            if (method.getName().equals("modify")) {
              commands.add((byte[]) arguments[0]);
            }
            return method.getReturnType() == int.class ? 7 : new byte[0];
          });

  private final HcaEventChannel channel =
      proxy(
          HcaEventChannel.class,
          (proxy, method, arguments) -> {
            subscribed.add(Objects.requireNonNull(arguments)[0]);
            return null;
          });

  private final ChangingHca hca =
      new ChangingHca(
          proxy(
              Hca.class,
              (proxy, method, arguments) -> {
                if (method.getName().equals("create")) {
                  commands.add((byte[]) arguments[0]);
                  return object;
                }
                return channel;
              })) {
        @Override
        protected void created(byte[] command, HcaObject made) {
          created.add(command);
        }
      };

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static byte[] command(int opcode) {
    return View.command(Rst2initQpIn.STRUCTURE, opcode).bytes();
  }

  private int qpn(int index) {
    return View.over(commands.get(index)).getInt(Rst2initQpIn.QPN);
  }

  @Test
  void commandsThatCreateAndModifyAreChanged() {
    hca.change(CommandOpcode.RST2INIT_QP, in -> in.set(Rst2initQpIn.QPN, 5));
    hca.change(CommandOpcode.CREATE_QP, in -> in.set(Rst2initQpIn.QPN, 6));
    byte[] sent = command(CommandOpcode.CREATE_QP);
    HcaObject made = hca.create(sent);
    made.modify(command(CommandOpcode.RST2INIT_QP));
    made.modify(command(CommandOpcode.INIT2RTR_QP));
    assertThat(commands).hasSize(3);
    assertThat(List.of(qpn(0), qpn(1), qpn(2))).containsExactly(6, 5, 0);
    assertThat(View.over(sent).getInt(Rst2initQpIn.QPN)).as("the caller's copy").isZero();
    assertThat(View.over(sent).getInt(CmdIn.OPCODE)).isEqualTo(CommandOpcode.CREATE_QP);
    assertThat(created).containsExactly(commands.get(0));
  }

  @Test
  void channelsGetTheObjectsOfTheOtherDevice() {
    HcaObject made = hca.create(command(CommandOpcode.CREATE_QP));
    assertThat(made.number()).isEqualTo(7);
    hca.openEventChannel().subscribe(made, 1, 2);
    hca.openEventChannel().unsubscribe(made, 1, 2);
    hca.openEventChannel().subscribe(object, 1, 2);
    assertThat(subscribed).hasSize(3).allSatisfy(seen -> assertThat(seen).isSameAs(object));
  }
}
