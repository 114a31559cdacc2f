// Shows a notice that it is one's move, and opens the table when it is clicked.
addEventListener("push", (event) => {
  const note = event.data ? event.data.json() : {};
  event.waitUntil(registration.showNotification(note.title || "Elysian", { body: note.body || "", icon: "/icon.svg", tag: note.table || "elysian", data: note }));
});
addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { table, offer } = event.notification.data || {};
  const path = table ? "/t/" + table : "/";
  const link = path + (table && offer ? "#offer=" + offer : "");
  event.waitUntil(
    clients.matchAll({ type: "window" }).then((open) => {
      const here = open.find((one) => new URL(one.url).pathname === path);
      if (!here) return clients.openWindow(link);
      // A page that was opened before there was a worker cannot be led on; it is only shown.
      return here.focus().then((page) => (offer ? page.navigate(link).catch(() => page) : page));
    }),
  );
});
