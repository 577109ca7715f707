package dev.bluebell.softnic.option;

import dev.bluebell.hca.HcaIdentity;
import dev.bluebell.hca.LinkLayer;
import dev.bluebell.hca.command.CapabilityType;
import dev.bluebell.hca.structure.Area;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.Structure;
import dev.bluebell.hca.structure.View;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The capabilities of a card, to which a device limits its own: a number is the smaller of the two,
 * a set of bits the intersection. So a profile only removes capabilities. Each card's resource file
 * marks which values are from public dumps and which are inferred.
 *
 * @param name such as {@code connectx5}; empty for the device as it is
 * @param identity the device's identity
 * @param claims the card's capabilities
 */
public record Profile(String name, HcaIdentity identity, List<Claim> claims) {
  /** The software ConnectX as it is. */
  public static final Profile SOFTWARE = new Profile("", HcaIdentity.SOFTWARE, List.of());

  private static final List<String> NAMES =
      List.of("connectx5", "connectx6dx", "connectx7", "bluefield3");

  /** Fields whose bits are a set; other fields are numbers. */
  private static final Set<String> SETS =
      Set.of("atomic_operations", "atomic_size_qp", "atomic_size_dc");

  /**
   * The value of one capability of a card.
   *
   * @param field the structure and the field by their names in {@code mlx5_ifc.h}, such as {@code
   *     cmd_hca_cap.log_max_qp}, with areas between them
   * @param value unsigned
   * @param source a word that the head of the file explains, or {@code inferred}
   * @param layer the link layer on which the card has this value; empty for both
   */
  public record Claim(String field, long value, String source, Optional<LinkLayer> layer) {
    private static final int PARTS = 3;

    private static Claim parse(String line) {
      String[] parts = line.split(" ");
      Optional<LinkLayer> layer =
          parts.length == PARTS
              ? Optional.empty()
              : Optional.of(LinkLayer.valueOf(parts[PARTS].toUpperCase(Locale.ROOT)));
      return new Claim(parts[0], Long.decode(parts[1]), parts[2], layer);
    }

    private boolean isOn(LinkLayer port) {
      return layer.isEmpty() || layer.get() == port;
    }
  }

  /** Keeps a copy of the claims. */
  public Profile {
    claims = List.copyOf(claims);
  }

  public static List<String> names() {
    return NAMES;
  }

  /**
   * A profile by its name.
   *
   * @throws IllegalArgumentException when there is no such profile
   */
  public static Profile named(String name) {
    if (!NAMES.contains(name)) {
      throw new IllegalArgumentException(
          "profile=%s of device soft is unknown; the profiles are %s"
              .formatted(name, String.join(", ", NAMES)));
    }
    int part = 0;
    String firmware = "";
    String board = "";
    List<Claim> claims = new ArrayList<>();
    for (String line : read(name).lines().toList()) {
      String value = line.substring(line.indexOf(' ') + 1);
      switch (line.substring(0, line.indexOf(' '))) {
        case "#" -> {}
        case "part" -> part = Integer.decode(value);
        case "firmware" -> firmware = value;
        case "board" -> board = value;
        default -> claims.add(Claim.parse(line));
      }
    }
    return new Profile(name, new HcaIdentity(part, firmware, board), claims);
  }

  private static String read(String name) {
    try (InputStream in = Profile.class.getResourceAsStream(name + ".profile")) {
      if (in == null) {
        throw new IllegalStateException("the file of profile %s is missing".formatted(name));
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The card's capabilities on a link layer. */
  public List<Claim> claims(LinkLayer layer) {
    return claims.stream().filter(claim -> claim.isOn(layer)).toList();
  }

  /**
   * Removes capabilities that the card does not have from the answer to QUERY_HCA_CAP.
   *
   * @param type see {@link CapabilityType}
   * @param capability the capabilities of the type, which are changed
   * @param layer of the device's port
   */
  public void limit(int type, View capability, LinkLayer layer) {
    Structure structure = CapabilityType.ofRdma().get(type);
    if (structure == null) {
      return;
    }
    for (Claim claim : claims(layer)) {
      List<String> path = List.of(claim.field().split("\\."));
      if (path.getFirst().equals(structure.name())) {
        limit(structure, path.subList(1, path.size()), capability, claim.value());
      }
    }
  }

  private static void limit(Structure structure, List<String> path, View view, long value) {
    if (path.size() > 1) {
      Area area =
          structure.areas().stream()
              .filter(each -> each.name().equals(path.getFirst()))
              .findFirst()
              .orElseThrow(() -> new IllegalStateException("no area " + path));
      limit(area.structure(), path.subList(1, path.size()), view.at(area), value);
      return;
    }
    Field field = structure.field(path.getFirst());
    long own = view.get(field);
    View unused = view.set(field, SETS.contains(field.name()) ? own & value : Math.min(own, value));
  }
}
