package dev.bluebell.softnic.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bluebell.hca.Hca;
import dev.bluebell.hca.HcaException;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapIn;
import dev.bluebell.hca.command.Capabilities.QueryHcaCapOut;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.command.CommandHeaders.CmdIn;
import dev.bluebell.hca.command.CommandOpcode;
import dev.bluebell.hca.command.CommandStatus;
import dev.bluebell.hca.command.XrqCommands.CreateXrqIn;
import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.structure.View;
import dev.bluebell.softnic.SoftNic;
import dev.bluebell.verbs.CompletionQueue;
import dev.bluebell.verbs.CompletionQueueOptions;
import dev.bluebell.verbs.CqeCompression;
import dev.bluebell.verbs.Device;
import dev.bluebell.verbs.ProtectionDomain;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A profile removes the capabilities that its card lacks, adds none, and is enforced. */
class ProfileTest {
  static List<String> names() {
    return Profile.names();
  }

  private static SoftNicOptions options(String profile, LinkLayer layer) {
    SoftNicOptions options =
        SoftNicOptions.DEFAULT.withEngine(EngineMode.POLL).withLinkLayer(layer);
    return profile.isEmpty() ? options : options.withProfile(Profile.named(profile));
  }

  private static Map<String, Long> capabilities(String profile, LinkLayer layer) {
    Map<String, Long> numbers = new HashMap<>();
    try (Hca hca = SoftNic.open(options(profile, layer))) {
      CapabilityType.ofRdma()
          .forEach(
              (type, structure) ->
                  ask(hca, type)
                      .ifPresent(view -> add(structure.name(), structure, view, numbers)));
    }
    return numbers;
  }

  private static Optional<View> ask(Hca hca, int type) {
    byte[] command =
        View.command(QueryHcaCapIn.STRUCTURE, CommandOpcode.QUERY_HCA_CAP)
            .set(CmdIn.OP_MOD, CapabilityType.current(type))
            .bytes();
    try {
      View answer = View.over(hca.execute(command));
      return Optional.of(View.over(answer.getBytes(QueryHcaCapOut.CAPABILITY)));
    } catch (HcaException refused) {
      return Optional.empty();
    }
  }

  private static void add(
      String prefix, Structure structure, View view, Map<String, Long> numbers) {
    for (Field field : structure.fields()) {
      if (field.isNumber()) {
        numbers.put(prefix + "." + field.name(), view.get(field));
      }
    }
    for (Area area : structure.areas()) {
      add(prefix + "." + area.name(), area.structure(), view.at(area), numbers);
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void nothingIsClaimedThatTheDeviceDoesNotHave(String name) {
    for (LinkLayer layer : LinkLayer.values()) {
      Map<String, Long> own = capabilities("", layer);
      Map<String, Long> limited = capabilities(name, layer);
      assertThat(limited.keySet()).isEqualTo(own.keySet()).hasSizeGreaterThan(300);
      limited.forEach(
          (field, value) -> assertThat(value).as(field).isLessThanOrEqualTo(own.get(field)));
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void aProfileClaimsNoMoreThanTheCardReports(String name) {
    for (LinkLayer layer : LinkLayer.values()) {
      Map<String, Long> limited = capabilities(name, layer);
      List<Profile.Claim> claims = Profile.named(name).claims(layer);
      assertThat(claims).hasSizeGreaterThan(25);
      assertThat(claims).extracting(Profile.Claim::field).doesNotHaveDuplicates();
      for (Profile.Claim claim : claims) {
        assertThat(limited).as(name).containsKey(claim.field());
        assertThat(limited.get(claim.field())).as(claim.field()).isLessThanOrEqualTo(claim.value());
      }
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void theDeviceReportsTheIdentityOfTheProfile(String name) {
    try (Hca hca = SoftNic.open(options(name, LinkLayer.ETHERNET))) {
      assertThat(hca.identity()).isEqualTo(Profile.named(name).identity());
      assertThat(hca.identity().board()).startsWith("BLUEBELL_");
      assertThat(hca.identity().firmware()).matches("\\d\\d\\.0\\.0000");
    }
  }

  @Test
  void aProfileIsAnOption() {
    assertThat(SoftNicOptions.parse("profile=connectx7").profile().name()).isEqualTo("connectx7");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SoftNicOptions.parse("profile=connectx3"))
        .withMessageContaining(
            "profile=connectx3 of device soft is unknown; the profiles are connectx5");
  }

  @Test
  void aFeatureThatTheProfileLacksIsRefused() {
    try (Device device = Device.over(SoftNic.open(options("connectx6dx", LinkLayer.ETHERNET)));
        ProtectionDomain domain = device.allocateProtectionDomain()) {
      CompletionQueue completions = device.createCompletionQueue(16);
      assertThat(device.attributes().maxTags()).isZero();
      assertThatExceptionOfType(RuntimeException.class)
          .isThrownBy(() -> domain.tagMatchingReceiveQueue(completions).create())
          .withMessageContaining("tag");
      assertThatExceptionOfType(RuntimeException.class)
          .isThrownBy(() -> domain.dcStreamInitiator(completions, 4).create())
          .withMessageContaining("log_max_dci_stream_channels");
      assertThatExceptionOfType(RuntimeException.class)
          .isThrownBy(
              () ->
                  device.createCompletionQueue(
                      16, CompletionQueueOptions.DEFAULT.withCompression(CqeCompression.ENHANCED)))
          .withMessageContaining("enhanced");
      assertThat(
              device.createCompletionQueue(
                  16, CompletionQueueOptions.DEFAULT.withCompression(CqeCompression.BASIC)))
          .isNotNull();
    }
  }

  @Test
  void aCommandThatTheDriverWouldNotSendIsRefusedByTheDevice() {
    byte[] command = View.command(CreateXrqIn.STRUCTURE, CommandOpcode.CREATE_XRQ).bytes();
    try (Hca hca = SoftNic.open(options("connectx6dx", LinkLayer.ETHERNET))) {
      assertThatExceptionOfType(HcaException.class)
          .isThrownBy(() -> hca.create(command))
          .withMessageContaining("a card of its profile, does not have the capability tag_matching")
          .satisfies(e -> assertThat(e.status()).isEqualTo(CommandStatus.BAD_PARAM));
    }
  }

  @Test
  void tagMatchingIsThereOnInfiniBandWithTheCardsList() {
    try (Device device = Device.over(SoftNic.open(options("connectx5", LinkLayer.INFINIBAND)))) {
      ProtectionDomain domain = device.allocateProtectionDomain();
      CompletionQueue completions = device.createCompletionQueue(16);
      assertThat(device.attributes().maxTags()).isEqualTo(128);
      assertThat(domain.tagMatchingReceiveQueue(completions).tags(127).create()).isNotNull();
      assertThatExceptionOfType(RuntimeException.class)
          .isThrownBy(() -> domain.tagMatchingReceiveQueue(completions).tags(255).create())
          .withMessageContaining("the 127 that the device takes");
    }
  }
}
