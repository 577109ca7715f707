package dev.bluebell.hca.command;

/**
 * A structure inside a structure.
 *
 * @param name the name in the public headers
 * @param offset from the start of the outer structure, in bytes
 * @param structure the inner structure
 */
public record Area(String name, int offset, Structure structure) {}
