package dev.bluebell.hca.uverbs;

/**
 * An attribute of an ioctl method.
 *
 * @param name the name in the public headers
 * @param id its number in an ioctl
 */
public record Attribute(String name, int id) {}
