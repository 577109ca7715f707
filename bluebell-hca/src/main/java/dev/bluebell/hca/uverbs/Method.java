package dev.bluebell.hca.uverbs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A method that an ioctl can call. The class that defines it adds its attributes while it is
 * initialized; afterwards the method does not change.
 */
public final class Method {
  private final IoctlObject object;
  private final String name;
  private final int id;
  private final List<Attribute> attributes = new ArrayList<>();

  /** A method without attributes yet. */
  Method(IoctlObject object, String name, int id) {
    this.object = object;
    this.name = name;
    this.id = id;
  }

  /** Adds an attribute. */
  Attribute attribute(String attributeName, int attributeId) {
    Attribute attribute = new Attribute(attributeName, attributeId);
    attributes.add(attribute);
    return attribute;
  }

  /** The kind of object whose method it is. */
  public IoctlObject object() {
    return object;
  }

  /** The name in the public headers. */
  public String name() {
    return name;
  }

  /** Its number in an ioctl, among the methods of the same kind of object. */
  public int id() {
    return id;
  }

  /** All attributes of the method. */
  public List<Attribute> attributes() {
    return Collections.unmodifiableList(attributes);
  }

  /** True when the method knows an attribute. */
  public boolean knows(int attribute) {
    return attributes.stream().anyMatch(known -> known.id() == attribute);
  }
}
