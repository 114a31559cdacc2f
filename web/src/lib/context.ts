import { createContext } from "svelte";
import type { Table } from "./table.svelte";

/** The table everything below it draws. */
export const [useTable, setTable] = createContext<Table>();
